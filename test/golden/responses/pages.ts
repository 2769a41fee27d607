// The public pages that the expected values are written from.

export const create = "https://developers.openai.com/api/reference/resources/responses/methods/create";
export const object = "https://developers.openai.com/api/reference/resources/responses";
export const events = "https://developers.openai.com/api/reference/resources/responses/streaming-events";
export const files = "https://developers.openai.com/api/docs/guides/file-inputs";
export const images = "https://developers.openai.com/api/docs/guides/images-vision";
export const functions = "https://developers.openai.com/api/docs/guides/function-calling";
export const reasoning = "https://developers.openai.com/api/docs/guides/reasoning";
export const structured = "https://developers.openai.com/api/docs/guides/structured-outputs";
export const thinking = "https://platform.claude.com/docs/en/build-with-claude/extended-thinking";
export const signatures = "https://ai.google.dev/gemini-api/docs/thought-signatures";
