/** Places of a record where any text may stand, by its schema: values and names of entries, choices of a few words left out. */
import { z } from "zod";

/** JSON Schema as zod writes it, as far as it is read here. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
}

/** One place in a record. */
interface TextPlace {
  /** Such as `plan.axes[].values[].facts{}`; `{key}` is the name of an entry. */
  readonly field: string;
  readonly text: string;
  /** Puts another text there, in a copy of the record. */
  put(copy: unknown, text: string): void;
}

const optionsOf = ({ anyOf = [], oneOf = [] }: Schema) => [...anyOf, ...oneOf];
const isText = (schema: Schema) =>
  [schema.type].flat().includes("string") && schema.const === undefined && schema.enum === undefined;
const entriesOf = ({ additionalProperties: more }: Schema) => typeof more === "object" ? more : undefined;
const schemaOf = (schema: z.ZodType) => z.toJSONSchema(schema) as Schema;

/** Returns every field of a schema that holds any text, once each. */
export function textFields(schema: z.ZodType): string[] {
  const found = new Set<string>();
  const walk = (part: Schema, field: string): void => {
    for (const option of optionsOf(part)) walk(option, field);
    if (isText(part)) found.add(field);
    for (const [name, inner] of Object.entries(part.properties ?? {})) walk(inner, join(field, name));
    const entries = entriesOf(part);
    if (entries !== undefined) {
      found.add(`${field}{key}`);
      walk(entries, `${field}{}`);
    }
    if (part.items !== undefined) walk(part.items, `${field}[]`);
  };
  walk(schemaOf(schema), "");
  return [...found];
}

/** Returns the places of a record that its schema lets hold any text; of items of a list, all. */
export function textPlaces(schema: z.ZodType, record: unknown): TextPlace[] {
  const found = new Map<string, TextPlace>();
  const add = (field: string, text: string, way: readonly string[], put: TextPlace["put"]) =>
    found.set(JSON.stringify([field, way]), { field, text, put });
  const walk = (part: Schema, value: unknown, field: string, way: readonly string[]): void => {
    for (const option of optionsOf(part)) if (fits(option, value)) walk(option, value, field, way);
    if (isText(part) && typeof value === "string") {
      add(field, value, way, (copy, text) => put(parentOf(copy, way), way.at(-1)!, text));
    }
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      const known = Object.hasOwn(part.properties ?? {}, name) ? part.properties![name] : undefined;
      const entries = entriesOf(part);
      const below = [...way, name];
      if (part.items !== undefined) walk(part.items, inner, `${field}[]`, below);
      else if (known !== undefined) walk(known, inner, join(field, name), below);
      else if (entries !== undefined) {
        add(`${field}{key}`, name, below, (copy, text) => rename(parentOf(copy, below), name, text));
        walk(entries, inner, `${field}{}`, below);
      }
    }
  };
  walk(schemaOf(schema), record, "", []);
  return [...found.values()];
}

const join = (field: string, name: string) => field === "" ? name : `${field}.${name}`;

/** Tells whether a value may be of one option: its kind, the keys it must have, and its constants. */
function fits({ type, required = [], properties = {} }: Schema, value: unknown): boolean {
  if (type !== "object") return type === "array" ? Array.isArray(value) : true;
  if (typeof value !== "object" || value === null) return false;
  const held = value as Readonly<Record<string, unknown>>;
  return required.every((name) => Object.hasOwn(held, name)) &&
    Object.entries(properties).every(([name, property]) =>
      property.const === undefined || held[name] === property.const
    );
}

type Parent = Record<string, unknown>;

const parentOf = (record: unknown, way: readonly string[]): Parent =>
  way.slice(0, -1).reduce((parent, name) => parent[name] as Parent, record as Parent);

/** Sets an entry of any name as JSON would, `__proto__` too. */
function put(parent: Parent, name: string, value: unknown): void {
  Object.defineProperty(parent, name, { value, enumerable: true, configurable: true, writable: true });
}

function rename(parent: Parent, name: string, other: string): void {
  const value = parent[name];
  delete parent[name];
  put(parent, other, value);
}
