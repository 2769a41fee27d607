// The provider instances that variables speak of: `OPENAI_EAST_API_KEY_2` is the second key of `openai-east` (behaviour 3.2, 3.3).

import type { ProviderTypeInfo } from "../core/provider-config.ts";
import type { Environment, Variable } from "./environment.ts";
import { shapesAlong } from "./shape.ts";

/** The variables of one provider instance. */
export interface ProviderInstance {
  readonly type: ProviderTypeInfo;
  /** `<type>` or `<type>-<suffix>`. */
  readonly name: string;
  /** `OPENAI`, `OPENAI_EAST`. */
  readonly prefix: string;
  readonly bare: boolean;
  /** By index; `_1` gives way to the name without a number. */
  readonly keys: Map<number, Variable>;
  /** By YAML key. */
  readonly fields: Map<string, Variable>;
}

const keyField = "api_key";

/** YAML keys by the ending of their variable: `BASE_URL` -> `base_url`. */
const fieldOfEnding: ReadonlyMap<string, string> = new Map(
  providerFields().flatMap(([field, shape]) =>
    shape.notes.providerVariable === undefined ? [] : [[shape.notes.providerVariable, field] as const],
  ),
);

function providerFields() {
  const block = shapesAlong(["providers", "any"]).at(-1);
  return block?.kind === "section" ? [...block.fields] : [];
}

/** In the order of the types, whatever the order of the environment. */
export function findProviderInstances(
  environment: Environment,
  types: readonly ProviderTypeInfo[],
): readonly ProviderInstance[] {
  const byPrefix = types
    .map((type) => ({ type, prefix: type.type.toUpperCase().replaceAll("-", "_") }))
    .toSorted((left, right) => right.prefix.length - left.prefix.length);
  const endings = [...fieldOfEnding.keys()].join("|");
  const instances = new Map<string, ProviderInstance>();
  for (const [name, variable] of environment) {
    const found = byPrefix.find(({ prefix }) => name.startsWith(`${prefix}_`));
    if (found === undefined) continue;
    const rest = name.slice(found.prefix.length + 1);
    // A bare variable first, so that `API_KEY_2` is the second key and no suffix.
    const match =
      new RegExp(`^()(${endings})(?:(?<=API_KEY)_(\\d+))?$`).exec(rest) ??
      new RegExp(`^([A-Z0-9_]+)_(${endings})(?:(?<=API_KEY)_(\\d+))?$`).exec(rest);
    if (match === null) continue;
    const [, suffix = "", ending = "", index] = match;
    const field = fieldOfEnding.get(ending);
    // OPENAI_API_VERSION and the like belong to other programs.
    if (field === undefined || (field === "api_version" && found.type.defaultApiVersion === undefined)) continue;
    const prefix = suffix === "" ? found.prefix : `${found.prefix}_${suffix}`;
    const instance = instances.get(prefix) ?? newInstance(found.type, prefix, suffix);
    instances.set(prefix, instance);
    if (field === keyField) {
      const number = index === undefined ? 1 : Number(index);
      if (index === undefined || !instance.keys.has(number)) instance.keys.set(number, variable);
    } else {
      instance.fields.set(field, variable);
    }
  }
  return types.flatMap((type) =>
    [...instances.values()]
      .filter((instance) => instance.type === type)
      .toSorted((left, right) => (left.name < right.name ? -1 : 1)),
  );
}

function newInstance(type: ProviderTypeInfo, prefix: string, suffix: string): ProviderInstance {
  const name = suffix === "" ? type.type : `${type.type}-${suffix.toLowerCase().replaceAll("_", "-")}`;
  return { type, name, prefix, bare: suffix === "", keys: new Map(), fields: new Map() };
}

/** The variable that messages about the instance name. */
export function firstVariable(instance: ProviderInstance): Variable {
  const [first] = [...instance.keys.values(), ...instance.fields.values()];
  if (first === undefined) throw new Error(`no variable for ${instance.prefix}`);
  return first;
}
