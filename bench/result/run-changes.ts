import type { RunRecord } from "../record/run-record.ts";

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

/**
 * Returns the differences between a run's record and the same plan described now, in words; empty if it may be
 * continued.
 */
export function changesSince(earlier: RunRecord, now: RunRecord): string[] {
  return FIXED.flatMap(([part, name]) => {
    const changes = differences(essence(earlier, part), essence(now, part), "");
    return changes.length === 0 ? [] : [`${name} changed (${changes.slice(0, 3).join(", ")})`];
  });
}

/** A part without what may change and mean nothing: a commit of documents, the wording of a note. */
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
export function filesOf({ files }: Pick<RunRecord, "files">): Readonly<Record<string, string>> {
  const named = Map.groupBy(files, ({ title }) => title);
  return Object.fromEntries(
    [...named].map(([title, own]) => [title, own.map(({ sha256 }) => sha256).sort().join(" ")]),
  );
}

/** The paths at which two JSON values differ, with both values: `version: "1" -> "2"`. */
export function differences(a: unknown, b: unknown, path: string): string[] {
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
  return [`${path}: ${JSON.stringify(a) ?? "nothing"} -> ${JSON.stringify(b) ?? "nothing"}`];
}
