import type { RunRecord } from "../record/run-record.ts";
import { differences, filesOf } from "./run-changes.ts";
import { servicesIn } from "./service-figures.ts";

/** The parts of a run that describe its environment and its services. */
type DescribedRun = { readonly run: RunRecord; readonly lines: Parameters<typeof servicesIn>[0] };

/** Returns the differences between the environments of two runs in words, the likeliest cause first. */
export function environmentDifferences(one: DescribedRun, other: DescribedRun): string[] {
  const a = one.run, b = other.run;
  const parts = [
    ["generator", "load generator"],
    ["placement", "CPUs"],
    ["grade", "grade"],
    ["levelfield", "Levelfield"],
  ] as const;
  return [
    ...differences(a.machine, b.machine, "").map((text) => `machine: ${text}`),
    ...differences(runtimeFacts(a), runtimeFacts(b), "").map((text) => `runtime: ${text}`),
    ...differences(servicesIn(one.lines), servicesIn(other.lines), "").map((text) => `service: ${text}`),
    ...differences(a.hosts ?? {}, b.hosts ?? {}, "").map((text) => `hosts: ${text}`),
    ...parts.flatMap(([part, name]) => differences(a[part], b[part], "").map((text) => `${name}: ${text}`)),
    ...differences(filesOf(a), filesOf(b), "").map((text) => `files: ${text}`),
    ...differences(planFacts(a), planFacts(b), "").map((text) => `plan: ${text}`),
  ];
}

/** The runtimes by what the plan calls them: a version, where it comes from, its file. */
function runtimeFacts({ runtimes }: RunRecord) {
  return Object.fromEntries(
    runtimes.map((
      { label, version, origin, sha256 },
    ) => [label, `${version}, ${origin}, file ${sha256 ?? "not read"}`]),
  );
}

/** Returns a plan's facts for people: values of axes in place of cells, without order and names. */
function planFacts({ plan, generator_threads }: RunRecord) {
  const { suite, axes, rounds, duration_ms, ensemble_ms, warmup, generator } = plan;
  const values = axes.map(({ title, values }) => [title, values.map(({ text }) => text).join(", ")]);
  const how = { rounds, duration_ms, ensemble_ms, warmup, generator, generator_threads };
  return { suite: suite.name, ...how, ...Object.fromEntries(values) };
}
