// What has been said of one item of a streamed answer.

export class OutputItem {
  type: string | undefined;
  isDone = false;
  /** Number of the call that this item is, once it has been told. */
  call: number | undefined;
  /** Length of what has been told of a call's input. */
  saidInput = 0;
  /** Input that came before the name of the call. */
  heldInput = "";
  annotations = 0;
  /** Length of what has been told of each text: `t0` text, `r0` refusal, `s0` summary, `c0` reasoning. */
  readonly said = new Map<string, number>();
  /** Which reasoning was told last. */
  reasoning: "summary" | "content" | undefined;
}
