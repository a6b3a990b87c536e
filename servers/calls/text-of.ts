/** Values as text. Equal structures have equal texts, whatever the order of their keys or the engine. */

/** Parts of a value that no text shows, in words; the first of each kind. */
export interface Unseen {
  /** The class of an object that shows no content. */
  opaque?: string;
  /** A part that computes nothing until it is read. */
  lazy?: string;
}

/** An object being written. Its `place` counts objects that are open or may lead back to one that is. */
interface Frame {
  readonly close: string;
  readonly values: readonly unknown[];
  readonly labels: readonly string[] | null;
  /** Where each entry begins in the output; null if entries keep their order. */
  readonly starts: number[] | null;
  readonly place: number;
  /** The lowest place that it leads back to. */
  low: number;
  at: number;
}

/** An object's parts before they are written: `{`, its labels, its values, `}`. */
interface Parts {
  readonly open: string;
  readonly close: string;
  readonly values: readonly unknown[];
  readonly labels?: readonly string[];
  readonly isUnordered?: boolean;
}

const MOST_VALUES = 2 ** 24;

/**
 * Returns a value as text, the same on every runtime. A reference that leads back says how many objects it goes back by
 * (`^2`), after Tarjan (1972): objects on no cycle are written each time they are met. Maps and sets have no order. Throws
 * beyond 16 million values.
 *
 * @param unseen is given what the text does not show
 */
export function textOf(value: unknown, unseen?: Unseen): string {
  const out: string[] = [], frames: Frame[] = [], open: object[] = [], places = new Map<object, number>();
  let values = 0;
  const write = (value: unknown) => {
    if (++values > MOST_VALUES) throw new Error("gives more than 16 million values: return fewer");
    const known = typeof value === "object" && value !== null ? places.get(value) : undefined;
    if (known !== undefined) {
      out.push(`^${open.length - known}`);
      const top = frames.at(-1)!;
      top.low = Math.min(top.low, known);
      return;
    }
    const parts = partsOf(value, unseen);
    if (typeof parts === "string") return void out.push(parts);
    const { open: begin, close, labels = null, isUnordered = false } = parts;
    frames.push({
      ...{ close, labels, values: parts.values, starts: isUnordered ? [] : null },
      ...{ place: open.length, low: open.length, at: 0 },
    });
    places.set(value as object, open.length);
    open.push(value as object);
    out.push(begin);
  };
  const end = ({ close, starts, place, low }: Frame) => {
    if (starts !== null && starts.length > 1) {
      const entries = starts.map((start, n) => out.slice(start, starts[n + 1]).join("").replace(/^,/, "")).sort();
      out.length = starts[0]!;
      out.push(entries.join(","));
    }
    out.push(close);
    frames.pop();
    // An object that leads back to nothing begun before it is done, with all that it holds.
    if (low === place) { for (const done of open.splice(place)) places.delete(done); }
    else frames.at(-1)!.low = Math.min(frames.at(-1)!.low, low);
  };
  write(value);
  for (let top = frames.at(-1); top !== undefined; top = frames.at(-1)) {
    if (top.at === top.values.length) {
      end(top);
      continue;
    }
    const at = top.at++;
    top.starts?.push(out.length);
    out.push((at === 0 ? "" : ",") + (top.labels?.[at] ?? ""));
    write(top.values[at]);
  }
  return out.join("");
}

const listOf = (values: readonly unknown[], name = ""): Parts => ({ open: `${name}[`, close: "]", values });

/** The text of a value without parts, or its parts. */
function partsOf(value: unknown, unseen: Unseen | undefined): string | Parts {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      return Object.is(value, -0) ? "-0" : `${value}`;
    case "bigint":
      return `${value}n`;
    case "boolean":
      return `${value}`;
    case "symbol":
      return String(value);
    case "object":
      return value === null ? "null" : partsOfObject(value, unseen);
    case "function":
      return opaque("function", unseen);
    default:
      return typeof value;
  }
}

function partsOfObject(value: object, unseen: Unseen | undefined): string | Parts {
  const name = String(Object.getPrototypeOf(value)?.constructor?.name ?? "object");
  const isBuiltIn = Array.isArray(value) || ArrayBuffer.isView(value) || value instanceof Map || value instanceof Set;
  if (isBuiltIn && hidesParts(value)) return ownText(value, name, unseen);
  if (Array.isArray(value)) return listOf(value);
  if (value instanceof DataView) return listOf([...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)]);
  if (ArrayBuffer.isView(value)) return listOf([...value as unknown as Iterable<unknown>]);
  if (value instanceof ArrayBuffer) return listOf([...new Uint8Array(value)]);
  if (value instanceof Map) return { ...listOf([...value], "Map"), isUnordered: true };
  if (value instanceof Set) return { ...listOf([...value], "Set"), isUnordered: true };
  if (value instanceof Error) return JSON.stringify(`${value.name}: ${value.message}`);
  if (value instanceof RegExp) return `${value}`;
  if (value instanceof Number || value instanceof String || value instanceof Boolean) {
    return partsOf(value.valueOf(), unseen);
  }
  const { toJSON, next } = value as { toJSON?: unknown; next?: unknown };
  const isIterable = Symbol.iterator in value, isAsync = Symbol.asyncIterator in value;
  // Bun's Headers and URLSearchParams have a toJSON that other runtimes lack.
  if (typeof toJSON === "function" && !(isIterable && isNative(toJSON))) {
    const json = toJSON.call(value, "");
    return json === value || typeof json === "object" && json !== null ? fieldsOf(json, unseen) : partsOf(json, unseen);
  }
  if (typeof next === "function" && (isIterable || isAsync)) {
    noteLazy(unseen, "an iterator, and what it would compute is never computed: return [...it]");
    return "iterator";
  }
  if (isAsync) return opaque(name, unseen);
  const names = Object.keys(value), prototype = Object.getPrototypeOf(value);
  if (Object.hasOwn(value, Symbol.iterator)) noteLazy(unseen, "what is computed once it is iterated: return [...it]");
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  if (isPlain || names.length > 0 && !hidesParts(value)) return fieldsOf(value, unseen);
  return isIterable ? listOf([...value as Iterable<unknown>], name) : ownText(value, name, unseen);
}

function opaque(name: string, unseen: Unseen | undefined): string {
  if (unseen !== undefined) unseen.opaque ??= name;
  return name;
}

/** The text of an object whose class writes one; its name alone for any other. */
function ownText(value: object, name: string, unseen: Unseen | undefined): string {
  const isPlain = value.toString === Object.prototype.toString || value.toString === Array.prototype.toString;
  return isPlain ? opaque(name, unseen) : `${name}(${JSON.stringify(String(value))})`;
}

const sourceOf = (code: unknown) => Function.prototype.toString.call(code);
const isNative = (code: unknown) => /\[native code\]\s*\}$/.test(sourceOf(code));

/** Classes by whether they use private fields, which nobody else can read. */
const hiding = new WeakMap<object, boolean>();

/** True if an object's class, or one that it extends, uses private fields. */
function hidesParts(value: object): boolean {
  for (let from = Object.getPrototypeOf(value); from !== null; from = Object.getPrototypeOf(from)) {
    const made: unknown = from.constructor;
    if (typeof made !== "function") continue;
    if (!hiding.has(made)) hiding.set(made, /\.#[\p{L}_$]/u.test(sourceOf(made)));
    if (hiding.get(made)) return true;
  }
  return false;
}

function noteLazy(unseen: Unseen | undefined, what: string): void {
  if (unseen !== undefined) unseen.lazy ??= what;
}

function fieldsOf(value: object, unseen: Unseen | undefined): Parts | string {
  if (Array.isArray(value)) return listOf(value);
  const names = Object.keys(value).sort();
  const getter = unseen && names.find((name) => Object.getOwnPropertyDescriptor(value, name)?.get !== undefined);
  if (getter !== undefined) {
    noteLazy(unseen, `a getter "${getter}", and what it would compute is never computed: read it`);
  }
  return {
    ...{ open: "{", close: "}", labels: names.map((name) => `${JSON.stringify(name)}:`) },
    values: names.map((name) => (value as Record<string, unknown>)[name]),
  };
}
