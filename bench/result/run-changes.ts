import type { RunRecord } from "../record/run-record.ts";
import { servicesIn } from "./card-parts.ts";

/** Parts of run.json that must not change while a run goes on. */
const FIXED = [
  ["levelfield", "the code"],
  ["plan", "the plan"],
  ["against", "the other revision"],
  ["placement", "the CPUs"],
  ["machine", "the machine"],
  ["hosts", "the hosts"],
  ["runtimes", "the runtimes"],
  ["generator", "the load generator"],
  ["warmed_by", "what warms up"],
  ["further_generators", "the other load generators"],
  ["files", "the servers' files"],
] as const satisfies readonly (readonly [keyof RunRecord, string])[];

/** Returns the differences between a run's record and its plan described now; empty if it may be continued. */
export function changesSince(earlier: RunRecord, now: RunRecord): string[] {
  return FIXED.flatMap(([part, name]) => {
    const changes = differences(essence(earlier, part), essence(now, part));
    return changes.length === 0 ? [] : [`${name} changed (${changes.slice(0, 3).map(differenceText).join(", ")})`];
  });
}

/** A part without changes that mean nothing: a commit of documents, the wording of a note. */
function essence(run: RunRecord, part: (typeof FIXED)[number][0]): unknown {
  if (part === "levelfield") {
    return { source_sha256: run.levelfield.source_sha256, lock_file_sha256: run.levelfield.lock_file_sha256 };
  }
  if (part === "placement") return { server: run.placement.server_cpus, load: run.placement.load_cpus };
  if (part === "plan") return { ...run.plan, generator_threads: run.generator_threads };
  if (part === "files") return filesOf(run);
  return run[part];
}

/** Returns the hashes of the files that a run's servers were given, by name. Sizes on disk differ and mean nothing. */
function filesOf({ files }: Pick<RunRecord, "files">): Readonly<Record<string, string>> {
  const named = Map.groupBy(files, ({ title }) => title);
  return Object.fromEntries(
    [...named].map(([title, same]) => [title, same.map(({ sha256 }) => sha256).sort().join(" ")]),
  );
}

/** A path at which two JSON values differ, with both values; undefined where there is none. */
interface Difference {
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** `version: "1" -> "2"`. */
export const differenceText = ({ path, from, to }: Difference): string =>
  `${path}: ${JSON.stringify(from) ?? "nothing"} -> ${JSON.stringify(to) ?? "nothing"}`;

/** Returns the differences between two JSON values. */
export function differences(a: unknown, b: unknown, path = ""): Difference[] {
  if (Object.is(a, b)) return [];
  if (typeof a === "object" && typeof b === "object" && a !== null && b !== null) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...keys].flatMap((key) =>
      differences(
        (a as Record<string, unknown>)[key],
        (b as Record<string, unknown>)[key],
        path === "" ? key : `${path}.${key}`,
      )
    );
  }
  return [{ path, from: a, to: b }];
}

type DescribedRun = { readonly run: RunRecord; readonly lines: Parameters<typeof servicesIn>[0] };

/** A difference between the environments of two runs, in one of their parts. */
export interface EnvironmentDifference extends Difference {
  readonly part: keyof typeof PARTS;
}

/** Parts of an environment, the likeliest cause of another result first, in words. */
const PARTS = {
  machine: "machine",
  runtimes: "runtime",
  services: "service",
  hosts: "hosts",
  generator: "load generator",
  placement: "CPUs",
  grade: "grade",
  levelfield: "Levelfield",
  files: "files",
  plan: "plan",
} as const;

/** Returns the differences between the environments of two runs, the likeliest cause first. */
export function environmentChanges(one: DescribedRun, other: DescribedRun): EnvironmentDifference[] {
  const [a, b] = [one, other].map(({ run, lines }) => ({
    ...run,
    ...{ runtimes: runtimeFacts(run), services: servicesIn(lines), hosts: run.hosts ?? {} },
    ...{ files: filesOf(run), plan: planFacts(run) },
  }));
  return (Object.keys(PARTS) as (keyof typeof PARTS)[]).flatMap((part) =>
    differences(a![part], b![part]).map((difference) => ({ ...difference, part }))
  );
}

/** `machine: kernel: "6.1" -> "6.8"`. */
export const environmentText = ({ part, ...difference }: EnvironmentDifference): string =>
  `${PARTS[part]}: ${differenceText(difference)}`;

/** Returns the differences between the environments of two runs in words. */
export const environmentDifferences = (one: DescribedRun, other: DescribedRun): string[] =>
  environmentChanges(one, other).map(environmentText);

function runtimeFacts({ runtimes }: RunRecord) {
  return Object.fromEntries(
    runtimes.map((
      { label, version, origin, sha256 },
    ) => [label, `${version}, ${origin}, file ${sha256 ?? "not read"}`]),
  );
}

function planFacts({ plan, generator_threads }: RunRecord) {
  const { suite, axes, rounds, duration_ms, ensemble_ms, warmup, generator } = plan;
  const values = axes.map(({ title, values }) => [title, values.map(({ text }) => text).join(", ")]);
  const how = { rounds, duration_ms, ensemble_ms, warmup, generator, generator_threads };
  return { suite: suite.name, ...how, ...Object.fromEntries(values) };
}
