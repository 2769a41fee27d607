// What the fields of the hub are called in the dialect that the caller wrote, for messages about them.

import type { ChatRequest } from "../../core/chat-request.ts";
import { invalidRequest } from "../../core/failure.ts";
import type { Failure } from "../../core/failure.ts";
import type { TranslationTarget } from "../../core/translation.ts";

interface FieldNames {
  readonly messages: string;
  readonly stop: string;
  readonly effort: string;
  readonly format: string;
  readonly imageUrl: string;
  readonly fileUrl: string;
  readonly fileData: string;
  readonly verbosity: string;
  readonly user: string;
}

const openAiChat: FieldNames = {
  messages: "messages",
  stop: "stop",
  effort: "reasoning_effort",
  format: "response_format",
  imageUrl: "image_url",
  fileUrl: "file_url",
  fileData: "file_data",
  verbosity: "verbosity",
  user: "user",
};

const names: Readonly<Record<ChatRequest["dialect"], FieldNames>> = {
  "chat-completions": openAiChat,
  gemini: openAiChat,
  responses: {
    ...openAiChat,
    messages: "input",
    effort: "reasoning.effort",
    format: "text.format",
    verbosity: "text.verbosity",
  },
  messages: {
    ...openAiChat,
    stop: "stop_sequences",
    effort: "thinking",
    format: "output_config.format",
    imageUrl: "source.url",
    fileUrl: "source.url",
    fileData: "source.media_type",
    user: "metadata.user_id",
  },
};

export function fieldNames(request: ChatRequest): FieldNames {
  return names[request.dialect];
}

/** Behaviour 1.16, rule 5. `advice`: what to change. */
export function unsupported(field: string, target: TranslationTarget, advice: string): Failure {
  return invalidRequest(`\`${field}\` is not supported by provider ${target.providerName}: ${advice}`, {
    param: field,
  });
}
