// The documented types of items that only the Responses dialect has.

/**
 * https://developers.openai.com/api/reference/resources/responses: what hosted tools did, what the client ran for them, and the marks in a history.
 * They are kept whole for a target of the same dialect; what another one does with them is its encoder's decision.
 */
const fromAssistant: ReadonlySet<string> = new Set([
  "web_search_call",
  "file_search_call",
  "computer_call",
  "code_interpreter_call",
  "image_generation_call",
  "local_shell_call",
  "shell_call",
  "apply_patch_call",
  "mcp_call",
  "mcp_list_tools",
  "mcp_approval_request",
  "tool_search_call",
  "program",
]);

const fromUser: ReadonlySet<string> = new Set([
  "computer_call_output",
  "local_shell_call_output",
  "shell_call_output",
  "apply_patch_call_output",
  "mcp_approval_response",
  "tool_search_output",
  "program_output",
  "compaction",
  "compaction_summary",
  "compaction_trigger",
]);

/** What the provider's own tools looked up or worked out, of which the model's text makes use. */
const records: ReadonlySet<string> = new Set([
  "web_search_call",
  "file_search_call",
  "code_interpreter_call",
  "mcp_call",
  "mcp_list_tools",
]);

/** For items without which another provider can go on with the conversation. */
export function recordMark(type: string): { readonly record?: true } {
  return records.has(type) ? { record: true } : {};
}

/** Undefined: the type is not documented. */
export function speakerOf(type: string): "assistant" | "user" | undefined {
  if (fromAssistant.has(type)) return "assistant";
  return fromUser.has(type) ? "user" : undefined;
}
