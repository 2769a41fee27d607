// Reads the profile format that Bun, Node and Chrome share.

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
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
  /** File of the function, or what called it when it is the runtime's own: `< function FILE`. Lines are not told: Bun's are of the moment. */
  readonly caller: string;
  /** File of the nearest function that is not the runtime's own; empty without one. */
  readonly callerFile: string;
  readonly selfMicroseconds: number;
}

/** Most expensive first; only samples between the two moments, in milliseconds since the start of the profile. */
export function selfTimes(profile: CpuProfile, fromMs: number, toMs: number): readonly ProfileLine[] {
  const lineOf = linesByNode(profile.nodes);
  const times = new Map<string, { line: Omit<ProfileLine, "selfMicroseconds">; selfMicroseconds: number }>();
  let elapsed = 0;
  profile.samples.forEach((id, index) => {
    const delta = profile.timeDeltas[index] ?? 0;
    elapsed += delta;
    const line = lineOf.get(id);
    if (line === undefined || elapsed < fromMs * 1000 || elapsed > toMs * 1000) return;
    const key = `${line.name} ${line.caller}`;
    const time = times.get(key);
    if (time === undefined) times.set(key, { line, selfMicroseconds: delta });
    else time.selfMicroseconds += delta;
  });
  return [...times.values()]
    .map(({ line, selfMicroseconds }) => ({ ...line, selfMicroseconds }))
    .toSorted((left, right) => right.selfMicroseconds - left.selfMicroseconds);
}

function linesByNode(nodes: readonly ProfileNode[]): ReadonlyMap<number, Omit<ProfileLine, "selfMicroseconds">> {
  const parents = new Map<number, ProfileNode>();
  for (const node of nodes) for (const child of node.children ?? []) parents.set(child, node);
  const named = (node: ProfileNode): string => node.callFrame.functionName || "(anonymous)";
  return new Map(
    nodes.map((node) => {
      let owner: ProfileNode | undefined = node;
      while (owner !== undefined && !isOurs(owner)) owner = parents.get(owner.id);
      const callerFile = owner?.callFrame.url.replace("file://", "") ?? "";
      const place = owner === undefined ? "native" : callerFile;
      const caller = owner === node || owner === undefined ? place : `< ${named(owner)} ${place}`;
      return [node.id, { name: named(node), caller, callerFile }];
    }),
  );
}

/** Of a file, not of the runtime. */
function isOurs({ callFrame: { url } }: ProfileNode): boolean {
  return url.includes("/");
}
