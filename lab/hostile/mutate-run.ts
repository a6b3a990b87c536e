/** Changes a run in a folder as somebody who means harm would, or a disk: by a number, the same each time. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { counted } from "../../bench/basics/units.ts";
import { createRandom, type Random } from "../../bench/basics/random.ts";
import { readPlainFile, writePlainFile } from "../../bench/files/plain-file.ts";
import { sealRun } from "../../bench/runs/seal.ts";
import { readRun } from "../../bench/runs/read-run.ts";
import { writeSealedRun } from "../write-run.ts";
import { oddValue, OF_ALL_OBJECTS, pick } from "./odd-values.ts";
import { PLAN_CHANGES } from "./plan-changes.ts";
import { socketAt, SPECIAL_FILES } from "./special-files.ts";

/** Where a run lies, and a file outside of it that nobody may read. */
interface Site {
  readonly folder: string;
  readonly secret: string;
}

type Mutation = (site: Site, random: Random) => string | Promise<string>;

/** Files and folders of a run, by their names in it. */
function placesOf(folder: string): string[] {
  const inside = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return inside.filter((name) => !name.endsWith(".part")).sort();
}

const files = (folder: string) => placesOf(folder).filter((name) => /\.(nd)?json$|SUMS$/.test(name));

/** Rewrites a JSON file of a run, of the journal one line. */
function inJson(folder: string, random: Random, change: (value: unknown) => unknown): string {
  const name = pick(random, [...files(folder).filter((each) => each.endsWith("json")), "run.json", "journal.ndjson"]);
  const file = join(folder, name);
  const text = readPlainFile(file).toString("utf8");
  if (!name.endsWith(".ndjson")) writePlainFile(file, JSON.stringify(change(JSON.parse(text)), null, 2) + "\n");
  else {
    const lines = text.trimEnd().split("\n");
    const at = Math.floor(random() * lines.length);
    writePlainFile(file, lines.with(at, JSON.stringify(change(JSON.parse(lines[at]!)))).join("\n") + "\n");
  }
  return name;
}

type Parent = Record<string, unknown>;

/** Every place of a value that is held by an object or a list. */
function* placesIn(value: unknown): Generator<readonly [parent: Parent, key: string]> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    yield [value as Parent, key];
    yield* placesIn(inner);
  }
}

/** A place of some kind anywhere in a value; those near its top as likely as the many below. */
function placeIn(value: unknown, random: Random, fits: (found: unknown) => boolean = () => true) {
  const all = [...placesIn(value)].filter(([parent, key]) => fits(parent[key]));
  const byKey = [...Map.groupBy(all, ([, key]) => Number.isNaN(Number(key)) ? key : "[]").values()];
  return byKey.length === 0 ? undefined : pick(random, pick(random, byKey));
}

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  async special({ folder, secret }, random) {
    const place = pick(random, placesOf(folder));
    const kind = pick(random, [...Object.keys(SPECIAL_FILES), "socket"]);
    if (kind === "socket") await socketAt(join(folder, place));
    else SPECIAL_FILES[kind]!(join(folder, place), secret);
    return `${kind} for ${place}`;
  },
  bytes({ folder }, random) {
    const name = pick(random, files(folder));
    const bytes = readPlainFile(join(folder, name));
    for (let n = 0; n <= random() * 8; n++) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    writePlainFile(join(folder, name), random() < 0.3 ? bytes.subarray(0, Math.floor(random() * bytes.length)) : bytes);
    return `bytes of ${name}`;
  },
  value({ folder }, random) {
    let where = "";
    const name = inJson(folder, random, (value) => {
      const place = placeIn(value, random);
      if (place === undefined) return value;
      const [parent, key] = place;
      where = key;
      parent[key] = oddValue(random);
      return value;
    });
    return `another ${where} in ${name}`;
  },
  count({ folder }, random) {
    let where = "";
    const name = inJson(folder, random, (value) => {
      const place = placeIn(value, random, (found) => Array.isArray(found) && found.length > 0);
      if (place === undefined) return value;
      const [parent, key] = place;
      const items = parent[key] as unknown[];
      const each = JSON.stringify(items[0]).length + 1;
      const times = Math.min(10 ** (1 + random() * 5), 20e6 / each);
      where = `${key} ${Math.round(times)} times`;
      parent[key] = Array.from({ length: times }, (_, n) => items[n % items.length]);
      return value;
    });
    return `${where} in ${name}`;
  },
  plan({ folder }, random) {
    const file = join(folder, "run.json");
    const run = JSON.parse(readPlainFile(file).toString("utf8"));
    const many = Math.floor(10 ** (1 + random() * 4));
    const name = pick(random, Object.keys(PLAN_CHANGES));
    PLAN_CHANGES[name]!(run.plan, many);
    writePlainFile(file, JSON.stringify(run));
    return `${many}: ${name}`;
  },
  keys({ folder }, random) {
    const added = pick(random, OF_ALL_OBJECTS);
    const name = inJson(folder, random, (value) => {
      const holder = random() < 0.2 ? undefined : placeIn(value, random, (found) => found?.constructor === Object);
      const target = (holder === undefined ? value : holder[0][holder[1]]) as Parent;
      const filled = JSON.parse(`{"${added}":${JSON.stringify(Object.values(target)[0] ?? null)}}`);
      Object.defineProperty(target, added, {
        value: filled[added],
        enumerable: true,
        configurable: true,
        writable: true,
      });
      return value;
    });
    return `${added} in ${name}`;
  },
  size({ folder }, random) {
    const name = pick(random, files(folder));
    const [what, sign] = pick(random, [["spaces", " "], ["lines", "\n"], ["brackets", "["], ["zeros", "0,"], [
      "objects",
      "{},",
    ]]);
    const length = Math.floor(10 ** (3 + random() * 4.8) / sign!.length);
    const text = readPlainFile(join(folder, name)).toString("utf8");
    const more = sign!.repeat(length);
    const made = pick(random, [text + more, `[${more}0]`, more, text.replace("[", `[${more}`)]);
    writePlainFile(join(folder, name), made);
    return `${length} ${what} in ${name}`;
  },
  lines({ folder }, random) {
    const file = join(folder, "journal.ndjson");
    const lines = readPlainFile(file).toString("utf8").trimEnd().split("\n");
    const times = Math.min(10 ** (random() * 5), 60e6 / lines.join("\n").length);
    const repeated = Array.from({ length: lines.length * times }, (_, n) => {
      const line = lines[n % lines.length]!;
      return random() < 0.5 ? line.replace(/"index":\d+/, `"index":${n}`) : line;
    });
    writePlainFile(file, repeated.join("\n") + "\n");
    return counted(repeated.length, "line");
  },
};

/** Leaves a changed run as it is, seals it, or publishes it anew from its lines. */
function finish(folder: string, random: Random): string {
  const kind = pick(random, ["", "sealed", "published"]);
  try {
    if (kind === "sealed") sealRun(folder);
    if (kind === "published") writeSealedRun(folder, readRun(folder));
  } catch {
    return "";
  }
  return kind === "" ? "" : `, ${kind} anew`;
}

/** Changes a run in a folder; gives what was done. */
export async function mutateRun(site: Site, number: number): Promise<string> {
  const random = createRandom(number);
  const kinds = Object.keys(MUTATIONS);
  const done: string[] = [];
  for (let n = 0; n === 0 || (n < 3 && random() < 0.3); n++) {
    const kind = n === 0 ? kinds[number % kinds.length]! : pick(random, kinds);
    try {
      done.push(`${kind}: ${await MUTATIONS[kind]!(site, random)}`);
    } catch (error) {
      // After an earlier change it may be no run any more.
      if (n === 0) throw error;
    }
  }
  return done.join("; ") + finish(site.folder, random);
}
