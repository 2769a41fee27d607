// A caller's metadata as the labels that Vertex AI bills by.

/**
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/add-labels-to-api-calls: keys start with a lower-case letter, keys and values
 * have at most 63 lower-case letters, digits, `_` and `-`; 64 labels at most.
 */
const labelKey = /^\p{Ll}[\p{Ll}\p{Lo}\p{N}_-]{0,62}$/u;
const labelValue = /^[\p{Ll}\p{Lo}\p{N}_-]{0,63}$/u;
const mostLabels = 64;

/** What is no valid label is told to `dropped`. Undefined: none is left. */
export function labelsOf(
  metadata: Readonly<Record<string, unknown>> | undefined,
  dropped: (field: string) => void,
): Readonly<Record<string, string>> | undefined {
  const labels: [string, string][] = [];
  for (const [key, value] of Object.entries(metadata ?? {})) {
    const isLabel = typeof value === "string" && labelKey.test(key) && labelValue.test(value);
    if (isLabel && labels.length < mostLabels) labels.push([key, value]);
    else dropped(`metadata.${key}`);
  }
  return labels.length === 0 ? undefined : Object.fromEntries(labels);
}
