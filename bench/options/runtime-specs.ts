import { resolve } from "node:path";
import { RUNTIME_NAMES } from "../../servers/runtime.ts";
import type { At, Axis, Suite, Value } from "../../suites/suite.ts";
import { usageError } from "../basics/errors.ts";
import type { Values } from "../plan/points.ts";
import { compareVersions, isVersion, isVersionRange } from "../plan/versions.ts";
import { unknownName } from "../basics/unknown-name.ts";
import {
  inOrderOfVersions,
  resolveEach,
  type RuntimeCache,
  versionsOf,
  wantedText,
} from "../sources/resolve-runtimes.ts";
import type { RuntimeSpec } from "../runtimes/runtimes.ts";

/**
 * Reads one runtime: `node` is the pinned one, `node@24.21.0` that version from npm, `node=/path` that file. `node@22` and
 * `node@lts` are what npm has by then, `node@22..26` the newest of each between.
 */
export function parseRuntimeSpec(word: string): RuntimeSpec {
  const [, name, mark, rest] = /^([^@=]*)(?:([@=])(.*))?$/s.exec(word)!;
  const known = RUNTIME_NAMES.find((candidate) => candidate === name);
  if (known === undefined) throw unknownName("runtime", name!, RUNTIME_NAMES);
  if (mark === undefined) return { name: known, source: { kind: "pinned" } };
  if (mark === "=") {
    if (rest === "") throw usageError(`"${word}" names no file`, `--runtime ${known}=/path/to/${known}`);
    return { name: known, source: { kind: "file", file: resolve(rest!) } };
  }
  const version = rest!.replace(/^v/, "");
  if (isVersion(version)) return { name: known, source: { kind: "version", version } };
  if (isVersionRange(version) || /^[a-z][\w-]*$/.test(version)) {
    return { name: known, source: { kind: "range", text: version } };
  }
  throw usageError(`"${word}" names no version`, `${known}@1.2.3, ${known}@1, ${known}@1.2..1.4, ${known}@latest`);
}

/**
 * Every release from one version of a runtime to another, in that direction. Throws a usage error where an end is no release.
 *
 * @param wanted both ends, versions of one runtime
 * @param folder of fetched versions
 */
export async function releasesBetween(wanted: readonly RuntimeSpec[], folder: string): Promise<RuntimeSpec[]> {
  const { name } = wanted[0]!;
  const ends: string[] = [];
  for (const spec of wanted) {
    const { source } = spec;
    if (source.kind !== "version" && source.kind !== "range") {
      const what = `what lies between "${wantedText(spec)}" and the other end is not known`;
      throw usageError(what, `--among ${name}=A,${name}=B,…`);
    }
    ends.push(source.kind === "version" ? source.version : (await versionsOf(name, source.text, folder)).at(-1)!);
  }
  const forth = compareVersions(ends[0]!, ends[1]!) <= 0;
  const all = await versionsOf(name, (forth ? ends : ends.toReversed()).join(".."), folder);
  const known = [...new Set([...all, ...ends])].sort(compareVersions);
  return (forth ? known : known.toReversed()).map((version) => ({ name, source: { kind: "version", version } }));
}

/**
 * The runtimes that words name, each with its word, in the order of tables: as the project lists them,
 * the pinned one first, each once.
 */
export function runtimeSpecs(words: readonly Value[]) {
  const wanted = [...new Set(words)].map((word) => ({ word, spec: parseRuntimeSpec(String(word)) }));
  const order = ({ name, source }: RuntimeSpec) => RUNTIME_NAMES.indexOf(name) * 2 + (source.kind === "pinned" ? 0 : 1);
  return wanted.sort((a, b) => order(a.spec) - order(b.spec));
}

/** The axis of a suite whose values are runtimes. */
export const runtimeAxisOf = ({ axes }: Suite) => axes.find(({ binds }) => binds === "runtime");

/** The runtimes to find: those of the axis, or all for a suite without one, whose ceiling needs one. */
export const runtimeWords = (axis: Axis | undefined, values: readonly Value[]): readonly Value[] =>
  axis === undefined ? RUNTIME_NAMES : values;

/**
 * Finds the runtimes that values name, and returns the labels they have here in place of the values, the oldest version
 * of each first. Throws where one is missing.
 */
export async function bindRuntimes(suite: Suite, values: Values, cache: RuntimeCache) {
  const axis = runtimeAxisOf(suite);
  const named = runtimeSpecs(runtimeWords(axis, axis === undefined ? [] : values[axis.name]!));
  const each = await resolveEach(named.map(({ spec }) => spec), cache);
  const runtimes = inOrderOfVersions(each.flat());
  if (axis === undefined) return { runtimes, values, bound: (at: At): At => at };
  const labels = new Map(named.map(({ word }, n) => [word, each[n]!.map(({ label }) => label)]));
  return {
    runtimes,
    values: { ...values, [axis.name]: runtimes.map(({ label }) => label) },
    bound(at: At): At {
      const word = at[axis.name]!;
      const found = labels.get(word)!;
      if (found.length === 1) return { ...at, [axis.name]: found[0]! };
      const what = found.length === 0 ? "cannot serve here" : `is ${found.join(", ")}, and a cell has one`;
      throw usageError(`"${word}" ${what}`, "name one version");
    },
  };
}
