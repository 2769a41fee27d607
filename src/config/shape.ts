// The schema seen from outside: sections, maps, lists and leaves with their notes. Variables, defaults and documentation walk this.

import { z } from "zod";
import { settingsSchema } from "./schema.ts";

interface Notes extends z.GlobalMeta {}

interface ShapeBase {
  readonly notes: Notes;
  /** May be left out; no default is filled in. */
  readonly optional: boolean;
}

export interface SectionShape extends ShapeBase {
  readonly kind: "section";
  readonly fields: ReadonlyMap<string, Shape>;
}

export type Shape =
  | SectionShape
  | (ShapeBase & { readonly kind: "map"; readonly value: Shape })
  | (ShapeBase & { readonly kind: "list"; readonly item: Shape })
  | (ShapeBase & { readonly kind: "leaf" });

function shapeOf(schema: unknown, notesAbove: Notes = {}, optional = false): Shape {
  const notes: Notes = { ...(schema instanceof z.ZodType ? schema.meta() : undefined), ...notesAbove };
  if (schema instanceof z.ZodOptional) return shapeOf(schema.unwrap(), notes, true);
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).map(([key, field]) => [key, shapeOf(field)] as const);
    return { kind: "section", fields: new Map(fields), notes, optional };
  }
  if (schema instanceof z.ZodRecord) return { kind: "map", value: shapeOf(schema.valueType), notes, optional };
  if (schema instanceof z.ZodArray) return { kind: "list", item: shapeOf(schema.element), notes, optional };
  return { kind: "leaf", notes, optional };
}

/** The sections of the configuration, in the order of the documentation. */
export const settingsSections: ReadonlyMap<string, Shape> = new Map(
  Object.entries(settingsSchema.shape).map(([key, section]) => [key, shapeOf(section)] as const),
);

export const settingsShape: SectionShape = { kind: "section", fields: settingsSections, notes: {}, optional: false };

/** One setting that has a variable of its own. */
export interface VariableSetting {
  readonly path: readonly string[];
  readonly name: string;
  readonly shape: Shape;
}

/** Every setting below `shape` with a variable, in order. */
export function variableSettings(shape: Shape = settingsShape, path: readonly string[] = []): VariableSetting[] {
  const own = shape.notes.env === undefined ? [] : [{ path, name: shape.notes.env, shape }];
  if (shape.kind !== "section") return own;
  return [...own, ...[...shape.fields].flatMap(([key, field]) => variableSettings(field, [...path, key]))];
}

/** The steps from the root to `path`; shorter when it leaves the schema. */
export function shapesAlong(path: readonly (string | number)[]): Shape[] {
  const shapes: Shape[] = [];
  let shape: Shape | undefined = settingsShape;
  for (const step of path) {
    shape = childShape(shape, step);
    if (shape === undefined) break;
    shapes.push(shape);
  }
  return shapes;
}

function childShape(shape: Shape, step: string | number): Shape | undefined {
  switch (shape.kind) {
    case "section":
      return shape.fields.get(String(step));
    case "map":
      return shape.value;
    case "list":
      return shape.item;
    case "leaf":
      return undefined;
  }
}
