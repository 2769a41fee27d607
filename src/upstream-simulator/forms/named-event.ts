// An event whose name stands in front of its data as well as inside it, as Responses and Messages send them.

/** `data.type` is the name. */
export function namedEvent(data: { readonly type: string; readonly [member: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}
