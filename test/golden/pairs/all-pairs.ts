// Every exchange across dialects that is written down.

import { chatToGemini } from "./chat-to-gemini.ts";
import { chatToMessages } from "./chat-to-messages.ts";
import { chatToResponses } from "./chat-to-responses.ts";
import { messagesToChat } from "./messages-to-chat.ts";
import { messagesToGemini } from "./messages-to-gemini.ts";
import { messagesToResponses } from "./messages-to-responses.ts";
import type { Pair } from "./pair.ts";
import { responsesToChat } from "./responses-to-chat.ts";
import { responsesToGemini } from "./responses-to-gemini.ts";
import { responsesToMessages } from "./responses-to-messages.ts";

export const allPairs: readonly Pair[] = [
  ...chatToGemini,
  ...chatToMessages,
  ...chatToResponses,
  ...messagesToChat,
  ...messagesToGemini,
  ...messagesToResponses,
  ...responsesToChat,
  ...responsesToGemini,
  ...responsesToMessages,
];
