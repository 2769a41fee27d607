// The settings of one provider type that a block can give by itself, in place of the type's variables (behaviour 5.7).

import type { ProviderTypeInfo } from "../core/provider-config.ts";
import type { ProviderBlock } from "./read-settings.ts";
import { optionComplaint } from "./type-options.ts";

const keys = [
  "api_mode",
  "auth_type",
  "vertex_project",
  "vertex_location",
  "service_account_file",
  "service_account_json",
  "service_account_json_base64",
] as const satisfies readonly (keyof ProviderBlock)[];

/**
 * By variable. A provider named after its type is the one that the variables speak of, so that they win there; elsewhere the block does (behaviour 3.2).
 * `report` is told of values that cannot be, and of keys that this type does not have.
 */
export function optionsOf(
  name: string,
  block: ProviderBlock,
  type: ProviderTypeInfo,
  variables: Readonly<Record<string, string>>,
  report: (severity: "error" | "warning", message: string, key: string) => void,
): Readonly<Record<string, string>> {
  const own: Record<string, string> = {};
  for (const key of keys) {
    const value = block[key]?.trim();
    if (value === undefined) continue;
    const option = type.options?.find((known) => known.key === key);
    if (option === undefined) {
      report("warning", `has no effect: type ${type.type} has no such setting`, key);
      continue;
    }
    const complaint = option.values === undefined ? undefined : optionComplaint(value, option.values);
    if (complaint === undefined) own[option.variable] = value;
    else report("error", complaint, key);
  }
  return name === type.type ? { ...own, ...variables } : { ...variables, ...own };
}
