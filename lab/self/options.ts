import { parseArgs } from "node:util";
import { usageError } from "../../bench/basics/errors.ts";
import { unknownName } from "../../bench/basics/unknown-name.ts";
import { RANGES } from "../../bench/record/ranges.ts";
import { GROUPS_AND_NAMES } from "../faults/catalogue.ts";

const BY_DEFAULT: readonly PartName[] = ["ceiling", "ensembles", "recover"];

/** Names of all parts, those that are measured by default first. */
const PART_NAMES = ["ceiling", "ensembles", "recover", "fuzz", "streams", "faults", "ontime"] as const;

/** Name of a part. */
export type PartName = (typeof PART_NAMES)[number];

/** Options of single parts. */
const PARTS_OF: Readonly<Record<string, readonly PartName[]>> = {
  fault: ["faults"],
  quick: ["faults"],
  list: ["faults"],
  "fuzz-requests": ["fuzz", "streams"],
  "fuzz-app": ["fuzz", "streams"],
};

const text = { type: "string" } as const, yes = { type: "boolean" } as const;
const OPTIONS = {
  ...{ only: text, rounds: text, seed: text, data: text, json: yes },
  ...{ fault: text, quick: yes, list: yes, "fuzz-requests": text, "fuzz-app": text },
};

/** Reads the options of `bench self`. Throws a usage error for what it does not take. */
export function readSelf(words: readonly string[]) {
  const { only, rounds, seed, fault, json, quick, list, data, ...fuzz } = parseSelf(words);
  const parts = namesFrom(only, "part", PART_NAMES) ?? BY_DEFAULT;
  for (const [option, of] of Object.entries(PARTS_OF)) {
    if (!words.some((word) => word.split("=")[0] === `--${option}`) || of.some((part) => parts.includes(part))) {
      continue;
    }
    throw usageError(`--${option} is of the ${of.join(" and ")}`, `bench self --only ${of[0]} --${option}`);
  }
  return {
    parts,
    rounds: whole("rounds", rounds ?? "5", [1, 100]),
    seed: whole("seed", seed ?? "1", RANGES.seed),
    requests: whole("fuzz-requests", fuzz["fuzz-requests"] ?? "100000", [100, 10_000_000]),
    apps: listed(fuzz["fuzz-app"]) ?? [],
    faults: namesFrom(fault, "fault", GROUPS_AND_NAMES) ?? [],
    ...{ data, json: json ?? false, quick: quick ?? false, list: list ?? false },
  };
}

/** Options of `bench self`, read. */
export type SelfOptions = ReturnType<typeof readSelf>;

/** Takes the words of `bench self` apart. Throws a usage error for an option that it does not take. */
export function parseSelf(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS }).values;
  } catch (error) {
    throw usageError((error as Error).message, "lab/self.ts lists its options at its top");
  }
}

const listed = (text: string | undefined) => text?.split(",").map((word) => word.trim()).filter((word) => word !== "");

function whole(option: string, word: string, [least, most]: readonly [number, number]): number {
  const number = /^\d+$/.test(word) ? Number(word) : NaN;
  if (number >= least && number <= most) return number;
  throw usageError(`--${option} "${word}" is no whole number from ${least} to ${most}`, `--${option} ${least}`);
}

/** Returns the names that an option lists, in the order of all names. Throws for an unknown one. */
function namesFrom<T extends string>(text: string | undefined, what: string, known: readonly T[]): T[] | undefined {
  const names = listed(text);
  const unknown = names?.find((name) => !known.includes(name as T));
  if (unknown !== undefined) throw unknownName(what, unknown, known);
  return names && known.filter((name) => names.includes(name));
}
