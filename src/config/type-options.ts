// Settings that only one provider type has, from their variables (behaviour 5.7).

import type { ConfigProblem } from "../core/config-problem.ts";
import type { ProviderTypeInfo } from "../core/provider-config.ts";
import { suggestion } from "./did-you-mean.ts";
import type { Environment } from "./environment.ts";
import { whereText } from "./node.ts";

/** Values by variable, for each type that has any set. */
export type TypeOptions = ReadonlyMap<string, Readonly<Record<string, string>>>;

export function readTypeOptions(
  types: readonly ProviderTypeInfo[],
  environment: Environment,
): { readonly options: TypeOptions; readonly problems: readonly ConfigProblem[] } {
  const options = new Map<string, Record<string, string>>();
  const problems: ConfigProblem[] = [];
  for (const { type, options: known = [] } of types) {
    for (const { variable, values } of known) {
      const given = environment.get(variable);
      if (given === undefined) continue;
      const value = given.value.trim();
      const complaint = optionComplaint(value, values);
      if (complaint === undefined) options.set(type, { ...options.get(type), [variable]: value });
      else problems.push({ where: whereText(given.origin, []), message: complaint, severity: "error" });
    }
  }
  return { options, problems };
}

/** Undefined: the value can be used. `values`: the allowed ones; undefined: any text of one line. */
export function optionComplaint(value: string, values: readonly string[] | undefined): string | undefined {
  if (values === undefined) {
    return /^[\x20-\x7e]*$/.test(value) ? undefined : "must be visible ASCII characters without line breaks";
  }
  if (values.includes(value)) return undefined;
  return `"${value}" is not allowed; allowed: ${values.join(", ")}${suggestion(value, values)}`;
}
