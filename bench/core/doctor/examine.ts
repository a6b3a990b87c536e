import type { DoctorFacts } from "./facts.ts";
import type { Finding } from "./finding.ts";
import { gradeOf } from "./grade.ts";
import { judgeCompetition } from "./judge-competition.ts";
import { judgeCpus } from "./judge-cpus.ts";
import { judgeLimits } from "./judge-limits.ts";
import { judgeMemory } from "./judge-memory.ts";
import { judgeSpeed } from "./judge-speed.ts";
import { judgeFolder, judgeTool } from "./judge-tools.ts";

/** What the doctor has to say. */
export type Examination = ReturnType<typeof examine>;

/** Judges everything, in the order it is shown. Ids are unique. */
export function examine({ machine, watch, tools, folders }: DoctorFacts) {
  return {
    findings: [
      ...judgeCpus(machine, watch),
      ...judgeSpeed(machine, watch),
      ...judgeCompetition(machine, watch),
      ...judgeMemory(machine),
      ...judgeLimits(machine),
      ...tools.map(judgeTool),
      ...folders.flatMap((folder) => judgeFolder(folder, machine)),
    ],
    grade: gradeOf(machine, watch),
  };
}

/** Whether nothing stands between this machine and its best figures; what is unknown does not count against it. */
export function isWell(findings: readonly Finding[]): boolean {
  return findings.every(({ status }) => status === "ok" || status === "unknown");
}
