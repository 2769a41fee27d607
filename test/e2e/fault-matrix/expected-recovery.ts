// What must become of a stream that broke after its first event, under `stream_recovery: continue` (behaviour 2.12).

import type { Cell } from "./cell.ts";
import type { InBand, Truncated } from "./ending.ts";
import type { Answered, ExpectedAttempt, RecoveryOutcome } from "./expectation.ts";
import { codeOf, unseenStatus } from "./logged.ts";
import { saidText } from "./said.ts";

interface ExpectedRecovery {
  readonly outcome: RecoveryOutcome;
  readonly final: Answered;
  /** After the one that broke. */
  readonly attempts: readonly ExpectedAttempt[];
  /** Targets whose breaker is open because of it. */
  readonly open: readonly string[];
}

/** `broken`: of the target with this index, as it ended. `noTime`: the deadline is what broke it. */
export function expectedRecovery(
  cell: Cell,
  index: number,
  broken: Truncated | InBand,
  noTime: boolean,
): ExpectedRecovery {
  const target = cell.targets[index];
  if (target === undefined) throw new RangeError(`there is no target ${index}`);
  const attempts: ExpectedAttempt[] = [];
  const open: string[] = [];
  const end = (outcome: RecoveryOutcome, ending: Answered["ending"]): ExpectedRecovery => ({
    outcome,
    final: { kind: kindOf(ending), target, ending },
    attempts,
    open,
  });
  if (broken.obstacle !== undefined) return end("impossible", broken);
  if (noTime || index === cell.targets.length - 1) return end("exhausted", broken);

  // From here on another target was asked, so the end is ours to tell, even when the provider told one of its own.
  const incomplete: Truncated = { kind: "truncated", said: broken.said, broke: "told" };
  const delivered = saidText(broken.said, target.model);
  for (const [offset, next] of cell.targets.slice(index + 1).entries()) {
    const name = `${next.providerName}/${next.model}`;
    const common = { target: name, turn: index + offset + 2 };
    if (next.open) {
      attempts.push({ ...common, kind: "failover", outcome: "skipped", statuses: [503], code: "circuit_open" });
      continue;
    }
    const { ending } = next;
    if (ending.kind === "failed" || ending.kind === "endless") throw new Error(`no rule for ${cell.name}`);
    if (ending.kind !== "whole") {
      // The same text, broken at the same place: nothing new came of it.
      // A ping is something new.
      const statuses = [unseenStatus(ending), ...(cell.asks === "messages" ? [200] : [])];
      attempts.push({ ...common, kind: "recovery", outcome: "failed", statuses, code: codeOf(ending) });
      open.push(name);
      continue;
    }
    const text = saidText(ending.said, next.model);
    if (text.startsWith(delivered)) {
      attempts.push({ ...common, kind: "recovery", outcome: "succeeded", statuses: [200], code: null });
      return end("recovered", { kind: "whole", said: text });
    }
    // Nobody's fault, and the end of it: a third one would not say the same either.
    attempts.push({ ...common, kind: "recovery", outcome: "failed", statuses: [502], code: "stream_incomplete" });
    return end("diverged", incomplete);
  }
  return end("exhausted", incomplete);
}

function kindOf(ending: Answered["ending"]): Answered["kind"] {
  if (ending.kind === "endless") throw new Error("an endless answer has no end");
  return ending.kind;
}
