import { formatCpuList } from "../../basics/cpu-list.ts";
import { claimFaults, contentionFaults } from "../../judge/contention.ts";
import { socketErrors } from "../../judge/judge-load.ts";
import { THRESHOLDS } from "../../judge/thresholds.ts";
import type { Loaded, Member, Reason } from "../../record/observation-record.ts";
import type { RunRecord } from "../../record/run-record.ts";
import type { Claim } from "./claim.ts";
import { counted } from "../../basics/units.ts";

type Code = Reason["code"];

/** Reasons that a load's own figures give or do not give; others say what no figure tells. */
const FROM_FIGURES: readonly Code[] = [
  "socket-errors",
  "timeouts",
  "no-requests",
  "littles-law-broken",
  "claim-contradicted",
  "contended",
  "clock-changed",
  "core-not-full",
];

/** Whose load it was: the generator's ceiling is nobody's, and several servers together need their core full. */
export type Whose = "ceiling" | "one" | "together";

/** Why a load may not be used has to be what its figures say, no less and no more. */
export function reasonFaults(
  loaded: Loaded,
  reasons: readonly Reason[],
  whose: Whose,
  servers: number,
  run: RunRecord,
  claim: Claim,
): void {
  if (loaded.load === null || loaded.counters === null) return;
  const given = new Set(codesOf(loaded, whose, servers, run));
  const told = new Set(reasons.map(({ code }) => code));
  for (const code of given) claim(told.has(code), `its figures say "${code}", and it does not`);
  for (const code of FROM_FIGURES) {
    claim(!told.has(code) || given.has(code), `it says "${code}", and its figures do not`);
  }
}

function codesOf({ load, latency, counters }: Loaded, whose: Whose, servers: number, run: RunRecord): Code[] {
  const codes: Code[] = [];
  const code = (name: Code, given: boolean) => given && codes.push(name);
  const { requests, errors, reply_bytes } = load!;
  code("socket-errors", socketErrors(errors) > 0);
  code("timeouts", (errors.timeout ?? 0) > 0);
  code("unexpected-status", (errors.status ?? 0) > errors.expected_status);
  code("no-requests", requests === 0);
  const connections = load!.connections * servers;
  const gap = latency?.littles_law_gap ?? 0;
  const enough = requests >= connections * THRESHOLDS.littlesLawMinRequestsPerConnection;
  code("littles-law-broken", requests > 0 && enough && gap > THRESHOLDS.littlesLawGap);
  const { server_cpu_ns, loopback_bytes, core_share } = counters!;
  codes.push(...claimFaults({ requests, reply_bytes, server_cpu_ns, loopback_bytes }).map((fault) => fault.code));
  if (whose !== "ceiling") codes.push(...contentionFaults(counters!).map((fault) => fault.code));
  const wanted = run.placement.load_cpus;
  const astray = wanted !== null && load!.thread_cpus?.some((list) => list !== formatCpuList(wanted));
  code("wrong-affinity", astray === true);
  code("core-not-full", whose === "together" && core_share !== null && core_share < THRESHOLDS.togetherCoreShare);
  return codes;
}

/** The same of one of several servers. */
export function memberReasons({ requests, cpu_ns, reasons }: Member, connections: number, claim: Claim): void {
  if (requests === null) return;
  const few = requests < connections * THRESHOLDS.togetherMinRequestsPerConnection;
  const told = (code: Code) => reasons.some((reason) => reason.code === code);
  claim(
    few === told("too-few-requests"),
    `a server answered ${counted(requests, "request")}, and its reasons say otherwise`,
  );
  claim(
    few || (cpu_ns === null) === told("cpu-unreadable"),
    "a server's CPU time and its reasons contradict each other",
  );
}
