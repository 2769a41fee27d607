// The chat quirks of providers that are OpenAI-compatible but for a few fields.

import { describe } from "bun:test";
import { refusals, table } from "../../test/support/shaped-chat.ts";
import type { Row } from "../../test/support/shaped-chat.ts";

const both = '{"max_tokens":5,"max_completion_tokens":7}';
const olderOnly: readonly Row[] = [
  ["m", '{"max_tokens":5}', '{"max_tokens":5}'],
  ["m", '{"max_completion_tokens":7}', '{"max_tokens":7}'],
  ["m", both, '{"max_tokens":7}'],
  ["m", '{"max_tokens":5,"max_completion_tokens":null}', '{"max_tokens":5}'],
];

describe("bailian", () => {
  table("bailian", [
    ["qwen-plus", '{"max_tokens":5}', '{"max_completion_tokens":5}'],
    ["qwen-plus", both, '{"max_completion_tokens":7}'],
    ["qwen-plus", '{"max_tokens":5,"max_completion_tokens":null}', '{"max_completion_tokens":5}'],
    [
      "qwen-plus",
      '{"max_completion_tokens":7,"enable_thinking":true}',
      '{"max_completion_tokens":7,"enable_thinking":true}',
    ],
  ]);
});

describe("minimax", () => {
  table("minimax", [
    ["MiniMax-M2", '{"temperature":0}', '{"temperature":1.0}'],
    ["MiniMax-M2", '{"temperature":0.0, "n":1}', '{"temperature":1.0, "n":1}'],
    ["MiniMax-M2", '{"temperature":-1}', '{"temperature":1.0}'],
    ["MiniMax-M2", '{"temperature":0.01}', '{"temperature":0.01}'],
    ["MiniMax-M2", '{"temperature":2}', '{"temperature":2}'],
    ["MiniMax-M2", '{"temperature":null}', '{"temperature":null}'],
    ["MiniMax-M2", '{"temperature":"0"}', '{"temperature":"0"}'],
    [
      "MiniMax-M2",
      '{"messages":[{"role":"developer","content":"d"}]}',
      '{"messages":[{"role":"system","content":"d"}]}',
    ],
  ]);
});

describe.each(["kimi", "kimicode"])("%s", (type) => {
  const sampling = '{"temperature":0.2,"top_p":0.9,"presence_penalty":1,"frequency_penalty":1,"n":1}';
  table(type, [
    ...["k3", "k3-256k", "kimi-k3", "kimi-k2.5", "kimi-k2.6", "k2p5", "kimi-k2-thinking", "kimi-for-coding"].map(
      (model): Row => [model, sampling, '{"n":1}'],
    ),
    ...["moonshot-v1-8k", "kimi-k2-0905-preview", "kimi-latest"].map((model): Row => [model, sampling, sampling]),
    ["k3", '{"reasoning":{"effort":"max"}}', '{"reasoning_effort":"max"}'],
    ["k3", '{"reasoning_effort":"low","thinking":{"type":"x"}}', '{"reasoning_effort":"low","thinking":{"type":"x"}}'],
  ]);
});

describe("zai", () => {
  table("zai", [
    ...olderOnly,
    ["glm-5", '{"reasoning":{"effort":"high"}}', '{"reasoning_effort":"high"}'],
    ["glm-5", '{"tool_choice":"auto","tools":[{}]}', '{"tool_choice":"auto","tools":[{}]}'],
    ["glm-5", '{"tool_choice":null}', '{"tool_choice":null}'],
    ["glm-5", '{"n":1,"tools":[{}],"tool_choice":"none","parallel_tool_calls":true}', '{"n":1}'],
    [
      "glm-5",
      '{"messages":[{"role":"developer","content":"d"},{"role":"user","content":"developer"}]}',
      '{"messages":[{"role":"system","content":"d"},{"role":"user","content":"developer"}]}',
    ],
    ["glm-5", '{"thinking":{"type":"disabled"}}', '{"thinking":{"type":"disabled"}}'],
  ]);
  refusals("zai", [
    ['{"tool_choice":"required"}', "tool_choice", "tool_choice other than auto or none"],
    [
      '{"tool_choice":{"type":"function","function":{"name":"f"}}}',
      "tool_choice",
      "tool_choice other than auto or none",
    ],
  ]);
});

describe("mistral", () => {
  const effort = (value: string) => `{"reasoning_effort":"${value}"}`;
  table("mistral", [
    ...olderOnly,
    ["m", '{"seed":42,"n":1}', '{"random_seed":42,"n":1}'],
    ["m", '{"seed":42,"random_seed":7}', '{"random_seed":7}'],
    [
      "m",
      '{"stream":true,"stream_options":{"include_usage":true},"user":"u","store":false,"service_tier":"auto","verbosity":"low","n":1}',
      '{"stream":true,"n":1}',
    ],
    ["m", '{"logprobs":false,"top_logprobs":0,"logit_bias":{},"modalities":[ "text" ],"n":1}', '{"n":1}'],
    ["m", '{"logprobs":null,"audio":null}', "{}"],
    [
      "m",
      '{"tool_choice":"required","parallel_tool_calls":true,"metadata":{"a":"b"},"safe_prompt":true,"x_unknown":1}',
      '{"tool_choice":"required","parallel_tool_calls":true,"metadata":{"a":"b"},"safe_prompt":true,"x_unknown":1}',
    ],
    ["mistral-small-latest", effort("low"), effort("high")],
    ["mistral-small-2603", effort("minimal"), effort("none")],
    ["mistral-medium-3.5", effort("none"), effort("none")],
    ["mistral-medium-3", '{"reasoning":{"effort":"high"}}', effort("high")],
    ["mistral-medium-2505", effort("high"), "{}"],
    ["mistral-large-latest", effort("high"), "{}"],
    [
      "m",
      '{"messages":[{"role":"developer","content":"d","name":"n"},{"role":"user","content":"u","name":"n"},{"role":"assistant","content":"a","refusal":null,"annotations":[],"reasoning_content":"r"},{"role":"tool","tool_call_id":"1","name":"f","content":"t"}]}',
      '{"messages":[{"role":"system","content":"d"},{"role":"user","content":"u"},{"role":"assistant","content":"a"},{"role":"tool","tool_call_id":"1","name":"f","content":"t"}]}',
    ],
    [
      "m",
      '{"messages":[ {"role":"user","content":"my \\"name\\" is 1.0"} ]}',
      '{"messages":[ {"role":"user","content":"my \\"name\\" is 1.0"} ]}',
    ],
    ["m", '{"messages":"name"}', '{"messages":"name"}'],
    ["m", '{"messages":[null,"name"]}', '{"messages":[null,"name"]}'],
  ]);
  refusals("mistral", [
    ['{"logit_bias":{"50256":-100}}', "logit_bias", "logit_bias"],
    ['{"logprobs":true}', "logprobs", "logprobs"],
    ['{"top_logprobs":3}', "top_logprobs", "top_logprobs"],
    ['{"modalities":["text","audio"]}', "modalities", "modalities"],
    ['{"audio":{"voice":"x"}}', "audio", "audio"],
    ['{"web_search_options":{}}', "web_search_options", "web_search_options"],
    ['{"functions":[{"name":"f"}]}', "functions", "functions"],
  ]);
});

describe("together", () => {
  table("together", [
    ...olderOnly,
    ["m", '{"logprobs":true}', '{"logprobs":1}'],
    ["m", '{"logprobs":true,"top_logprobs":5,"n":1}', '{"logprobs":5,"n":1}'],
    ["m", '{"logprobs":true,"top_logprobs":0}', '{"logprobs":1}'],
    ["m", '{"logprobs":false,"n":1}', '{"n":1}'],
    ["m", '{"logprobs":3}', '{"logprobs":3}'],
    ["m", '{"response_format":{"type":"text"},"n":1}', '{"n":1}'],
    ["m", '{"response_format":{"type":"json_schema"}}', '{"response_format":{"type":"json_schema"}}'],
    ["m", '{"reasoning":{"effort":"low"}}', '{"reasoning_effort":"low"}'],
    ["m", '{"reasoning":{"enabled":false}}', '{"reasoning":{"enabled":false}}'],
  ]);
});

describe("cerebras", () => {
  table("cerebras", [
    ["m", both, both],
    ["m", '{"frequency_penalty":0,"presence_penalty":0.0,"logit_bias":{},"n":1}', '{"n":1}'],
    ["m", '{"store":true,"metadata":{},"verbosity":"low","stream_options":{}}', '{"stream_options":{}}'],
    ["m", '{"service_tier":"auto","parallel_tool_calls":false}', '{"service_tier":"auto","parallel_tool_calls":false}'],
    ["gpt-oss-120b", '{"reasoning":{"effort":"low"}}', '{"reasoning_effort":"low"}'],
    [
      "m",
      '{"messages":[{"role":"assistant","content":"a","reasoning_content":"r"},{"role":"assistant","content":"b","reasoning":"q","reasoning_content":"r"},{"role":"assistant","content":"c","reasoning_content":null}]}',
      '{"messages":[{"role":"assistant","content":"a","reasoning":"r"},{"role":"assistant","content":"b","reasoning":"q"},{"role":"assistant","content":"c"}]}',
    ],
  ]);
  refusals("cerebras", [
    ['{"frequency_penalty":0.5}', "frequency_penalty", "frequency_penalty"],
    ['{"presence_penalty":-1}', "presence_penalty", "presence_penalty"],
    ['{"logit_bias":{"1":1}}', "logit_bias", "logit_bias"],
  ]);
});

describe("perplexity", () => {
  table("perplexity", [
    ...olderOnly,
    ["sonar", '{"stream":true,"stream_options":{"include_usage":true}}', '{"stream":true}'],
    ...(
      [
        ["none", "minimal"],
        ["minimal", "minimal"],
        ["medium", "medium"],
        ["high", "high"],
        ["xhigh", "high"],
        ["max", "high"],
      ] as const
    ).map(([asked, sent]): Row => ["sonar", `{"reasoning_effort":"${asked}"}`, `{"reasoning_effort":"${sent}"}`]),
    [
      "sonar",
      '{"response_format":{"type":"json_schema"},"search_mode":"web"}',
      '{"response_format":{"type":"json_schema"},"search_mode":"web"}',
    ],
  ]);
  refusals("perplexity", [
    ['{"response_format":{"type":"json_object"}}', "response_format", "response_format json_object"],
  ]);
});

describe("fireworks", () => {
  table("fireworks", [
    ["accounts/fireworks/models/x", '{"reasoning":{"effort":"low"}}', '{"reasoning_effort":"low"}'],
    ["accounts/fireworks/models/x", both, both],
  ]);
});

const asTheyAre = "openrouter kilo edenai ollama vllm sglang llamacpp llmd chutes meta hetzner xiaomi oracle".split(
  " ",
);
describe.each(asTheyAre)("%s", (type) => {
  table(type, [
    [
      "gpt-5",
      '{"max_tokens":5,"temperature":1,"stop":"x","reasoning":{"effort":"max"},"response_format":{"type":"json_schema"},"thinking":{"type":"enabled"},"routing":{}}',
      '{"max_tokens":5,"temperature":1,"stop":"x","reasoning":{"effort":"max"},"response_format":{"type":"json_schema"},"thinking":{"type":"enabled"},"routing":{}}',
    ],
  ]);
});
