// A setting's description with its other default, for the example files, which show only the classic one.

import type { Shape } from "../../src/config/shape.ts";

/** Ends in `Under the profile strong: 12s.` where that is not the default anyway. */
export function describedWithProfile({ description = "", default: classic = "", strong }: Shape["notes"]): string {
  if (strong === undefined || strong === classic) return description;
  const value = strong.startsWith(`${classic},`) ? `also ${strong.slice(classic.length + 1)}` : strong;
  return `${description} Under the profile strong: ${value.replaceAll(",", ", ")}.`;
}
