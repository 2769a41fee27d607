// Writes one answer as a chat-completions stream, in one of the many ways in which providers and their JSON libraries do.

import type { Draw } from "../support/seeded-random.ts";

export interface AnswerPlan {
  readonly text: string;
  /** Tells the targets apart: every event of this one has it in its id. */
  readonly name: string;
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number } | undefined;
  /** Put in before the event of this number. */
  readonly intruder?: { readonly at: number; readonly event: string };
}

/** Whole events, the terminal last (unless this target forgets it). */
export function writeAnswer(plan: AnswerPlan, draw: Draw): readonly string[] {
  const { text, name, usage } = plan;
  const style = { lineEnd: draw(4) === 0 ? "\r\n" : "\n", space: draw(4) !== 0, lines: draw(4) === 0, raw: draw(3) };
  const identity = `"id":"chat-${name}","object":"chat.completion.chunk","created":${1000 + name.length},"model":"m-${name}"`;
  const backend = draw(2) === 0 ? `,"system_fingerprint":"fp-${name}"` : "";
  const roles = draw(3);
  const frame = (json: string): string => {
    const data = style.lines && draw(2) === 0 ? json.replace(/,(?="[a-z_]+":)/g, `,${style.lineEnd}data: `) : json;
    return `data:${style.space ? " " : ""}${data}${style.lineEnd}${style.lineEnd}`;
  };
  const chunk = (delta: string, finish: string, more = ""): string =>
    frame(
      draw(2) === 0
        ? `{${identity}${backend},"choices":[{"index":0,"delta":{${delta}},"finish_reason":${finish}}]${more}}`
        : `{"choices":[{"finish_reason":${finish},"delta":{${delta}},"index":0,"logprobs":null}],${identity}${more}}`,
    );
  const events: string[] = [];
  if (draw(8) === 0) events.push(frame('{"choices":[],"created":0,"id":"","model":"","prompt_filter_results":[{}]}'));
  if (roles > 0) events.push(chunk(`"role":"assistant","content":${draw(2) === 0 ? '""' : "null"}`, "null"));
  const pieces = cutText(text, draw);
  const counts = usage === undefined ? "" : `"usage":${JSON.stringify(usage)}`;
  const usagePlace = usage === undefined ? "none" : draw(3) === 0 ? "with the finish" : "alone";
  const finish = draw(5) === 0 ? '"length"' : '"stop"';
  const withFinish = usagePlace === "with the finish" ? `,${counts}` : "";
  const joinsFinish = pieces.length > 0 && draw(4) === 0;
  for (const [index, piece] of pieces.entries()) {
    const role = roles === 2 ? '"role":"assistant",' : "";
    const delta = `${role}"content":${quoted(piece, style.raw, draw)}`;
    const isLast = joinsFinish && index === pieces.length - 1;
    if (draw(30) === 0) events.push(`: comment${style.lineEnd}${style.lineEnd}`);
    events.push(chunk(delta, isLast ? finish : "null", isLast ? withFinish : draw(2) === 0 ? ',"usage":null' : ""));
  }
  if (!joinsFinish) events.push(chunk(draw(2) === 0 ? "" : '"content":""', finish, withFinish));
  if (usagePlace === "alone") events.push(frame(`{${identity},"choices":[],${counts}}`));
  if (plan.intruder !== undefined) events.splice(plan.intruder.at % events.length, 0, plan.intruder.event);
  if (draw(6) !== 0) events.push(frame("[DONE]"));
  if (draw(10) === 0) events[0] = `\ufeff${events[0]}`;
  return events;
}

/** Anywhere between two UTF-16 units, as providers do that stream tokens of bytes. */
function cutText(text: string, draw: Draw): string[] {
  const pieces: string[] = [];
  const longest = 1 + draw(8);
  for (let from = 0; from < text.length;) {
    const to = from + (draw(20) === 0 ? 0 : 1 + draw(longest));
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

const short: Readonly<Record<string, string>> = { "\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\", "/": "\\/" };

/** `style`: 0 escapes little, 1 everything, 2 at random. Half a pair can only be written as an escape. */
function quoted(piece: string, style: number, draw: Draw): string {
  let json = "";
  for (const character of piece) {
    const code = character.charCodeAt(0);
    const isHalf = character.length === 1 && code >= 0xd800 && code <= 0xdfff;
    const mustEscape = isHalf || code < 0x20 || character === '"' || character === "\\";
    if (mustEscape ? !isHalf && short[character] !== undefined && draw(2) === 0 : style === 2 && draw(4) === 0) {
      json += short[character] ?? escaped(character, draw);
    } else json += mustEscape || style === 1 || (style === 2 && draw(3) === 0) ? escaped(character, draw) : character;
  }
  return `"${json}"`;
}

function escaped(character: string, draw: Draw): string {
  let json = "";
  for (let index = 0; index < character.length; index++) {
    const hex = character.charCodeAt(index).toString(16).padStart(4, "0");
    json += `\\u${draw(2) === 0 ? hex : hex.toUpperCase()}`;
  }
  return json;
}
