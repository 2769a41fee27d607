// Reads the profile format that Bun, Node and Chrome share.

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
}

export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  /** Ids of nodes, one for each moment that was looked at. */
  readonly samples: readonly number[];
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[];
}

export interface ProfileLine {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly selfMicroseconds: number;
}

/** Most expensive first; only samples between the two moments, in milliseconds since the start of the profile. */
export function selfTimes(
  { nodes, samples, timeDeltas }: CpuProfile,
  fromMs: number,
  toMs: number,
): readonly ProfileLine[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const lines = new Map<string, { name: string; file: string; line: number; selfMicroseconds: number }>();
  let elapsed = 0;
  samples.forEach((id, index) => {
    const delta = timeDeltas[index] ?? 0;
    elapsed += delta;
    const frame = frames.get(id);
    if (frame === undefined || elapsed < fromMs * 1000 || elapsed > toMs * 1000) return;
    const { functionName, url, lineNumber } = frame;
    const key = `${functionName} ${url} ${lineNumber}`;
    const line = lines.get(key);
    if (line !== undefined) line.selfMicroseconds += delta;
    else
      lines.set(key, { name: functionName || "(anonymous)", file: url, line: lineNumber + 1, selfMicroseconds: delta });
  });
  return [...lines.values()].toSorted((left, right) => right.selfMicroseconds - left.selfMicroseconds);
}
