/** Runs and their plans with a path in the place of a text: in each field, of each text wherever it stands, and by intent. */
import { cellName } from "../../bench/record/cell.ts";
import { type RunRecord, runRecord } from "../../bench/record/run-record.ts";
import { type Baits, besideBaits } from "./baits.ts";
import { namedByRuns } from "./named-by-runs.ts";
import { textPlaces } from "./text-fields.ts";
import { wholeRuns } from "./whole-run.ts";

/** One run.json that asks for something, whether or not it is one still. */
export interface HostilePlan {
  readonly name: string;
  /** The field of the schema a path was put into; null where it is more than one. */
  readonly field: string | null;
  readonly run: RunRecord;
  /** A cell of it by its name, for commands that take one. */
  readonly cell: string;
}

/** The least number of them: fields take further paths until there are as many. */
const LEAST = 400;

/** Every way to name a bait: from elsewhere, from the current folder, from the run's own, as a URL, a runtime, a command. */
export const waysTo = ({ module, program }: Baits): readonly string[] => [
  ...[module, "./bait.ts", "bait.ts", besideBaits, `./${besideBaits}`, `runs/../bait.ts`, `file://${module}`],
  ...[
    "BAIT.TS",
    "node=./bait.sh",
    `node=${program}`,
    "./bait.sh",
    "sh ./bait.sh",
    `sh ${program}`,
    "__proto__/bait.ts",
  ],
];

/** Makes all of them. */
export async function hostilePlans(baits: Baits): Promise<HostilePlan[]> {
  const { plain, trusting } = await wholeRuns();
  const ways = waysTo(baits);
  const made: HostilePlan[] = [];
  const add = (name: string, base: RunRecord, change: (copy: RunRecord) => void, field: string | null = null) => {
    const run = structuredClone(base);
    change(run);
    made.push({ name, field, run, cell: nameOfFirst(run) });
  };
  for (const way of ways) {
    add(`suite called ${way}`, plain, ({ plan: { suite, cells } }) => {
      suite.name = suite.title = way;
      for (const { point } of cells) point.suite = way;
    });
    add(`runtime called ${way}`, plain, (run) => everywhere(run, run.runtimes[0]!.label, way));
  }
  for (const [name, change] of Object.entries(namedByRuns(baits))) add(`names ${name}`, plain, change);
  const texts = [...new Set(textPlaces(runRecord, plain).map(({ text }) => text))];
  texts.forEach((text, n) =>
    add(`everywhere for ${text}`, plain, (run) => everywhere(run, text, ways[n % ways.length]!))
  );
  const fields = [plain, trusting].flatMap((base) => {
    const first = Map.groupBy(textPlaces(runRecord, base), ({ field }) => field);
    return [...first].map(([field, [place]]) => ({ base, field, place: place! }));
  });
  for (let n = 0; n < fields.length || made.length < LEAST; n++) {
    const { base, field, place } = fields[n % fields.length]!;
    const way = ways[(n + Math.floor(n / fields.length)) % ways.length]!;
    add(`${way} for ${field} of ${base === plain ? "plain" : "trusting"}`, base, (run) => place.put(run, way), field);
  }
  return made;
}

/** Puts a text in place of another wherever it stands by itself. */
function everywhere(run: RunRecord, text: string, way: string): void {
  for (const place of textPlaces(runRecord, run)) if (place.text === text) place.put(run, way);
}

function nameOfFirst({ plan: { axes, cells: [cell] } }: RunRecord): string {
  return cell === undefined ? "none" : cellName(axes, cell);
}
