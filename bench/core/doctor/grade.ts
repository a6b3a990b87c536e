import type { Reading } from "../../record/samples.ts";
import type { MachineFacts, WatchFacts } from "./facts.ts";
import { percent } from "./finding.ts";
import { defaultPlacement } from "./judge-cpus.ts";
import { watchedSteal } from "./judge-competition.ts";
import { canaryVariation, unsteadyGovernors } from "./judge-speed.ts";
import { LIMITS } from "./limits.ts";

/**
 * How far figures of a machine can be trusted by themselves: `dedicated` when everything essential is proven quiet and
 * steady, `shared` when something is not (compare servers together), `advisory` when processes cannot be pinned at all.
 */
export interface Grade {
  readonly grade: "dedicated" | "shared" | "advisory";
  /** Everything that keeps it from a better grade; for `dedicated` what was proven. */
  readonly reasons: readonly string[];
}

/**
 * Grades a machine. A run passes only the facts read at once; the doctor adds what it watched for a second. Whatever
 * essential could not be read counts against the machine: dedicated is a claim that needs proof.
 */
export function gradeOf(facts: MachineFacts, watch?: WatchFacts): Grade {
  const shared = sharedReasons(facts, watch);
  if (facts.topology.cpus === null) return { grade: "advisory", reasons: [facts.topology.why, ...shared] };
  if (shared.length > 0) return { grade: "shared", reasons: shared };
  return {
    grade: "dedicated",
    reasons: [
      "server and generator on cores of their own",
      "bare metal, clock held, no boost",
      "nothing else runs",
      ...(watch === undefined ? [] : ["a canary ran steadily"]),
    ],
  };
}

function sharedReasons(facts: MachineFacts, watch?: WatchFacts): string[] {
  const reasons: string[] = [];
  /** Collects a reason when a reading fails its test, or cannot be tested. */
  const essential = <T>(what: string, reading: Reading<T>, fault: (value: T) => string | null) => {
    const found = "value" in reading ? fault(reading.value) : `${what} cannot be read (${reading.unreadable})`;
    if (found !== null) reasons.push(found);
  };

  if (facts.topology.cpus !== null) {
    const { pinning } = defaultPlacement(facts);
    if (pinning === "one-cpu") reasons.push("server and generator share the only CPU allowed");
    if (pinning === "siblings") reasons.push("server and generator share one physical core");
  }
  essential("the hypervisor", facts.virtualMachine, (name) => name === null ? null : `a virtual machine (${name})`);
  essential("SMT siblings", facts.siblings, () => null);
  essential("the governor", facts.governors, (names) => {
    const unsteady = unsteadyGovernors(names);
    return unsteady.length === 0 ? null : `the governor is ${unsteady.join(", ")}, so the clock follows the load`;
  });
  essential("boost", facts.boost, ({ on }) => on ? "boost is on, so the clock depends on heat and neighbours" : null);
  essential(
    "steal",
    facts.stealShare,
    (share) => share > LIMITS.stealSinceBoot.value ? `${percent(share)} of busy time was stolen since boot` : null,
  );
  essential(
    "the load average",
    facts.loadAverage,
    (load) => load > LIMITS.loadAverage.value ? `a load average of ${load.toFixed(2)}` : null,
  );
  essential(
    "the CPU quota",
    facts.cpuQuota,
    (cpus) => cpus === null ? null : `a CPU quota of ${Number(cpus.toFixed(2))}`,
  );
  // Kernels without pressure figures are common; the load average says enough.
  if ("value" in facts.pressure && facts.pressure.value.cpu > LIMITS.pressure.value) {
    reasons.push(`tasks waited for a CPU ${percent(facts.pressure.value.cpu)} of the last 10 s`);
  }
  if (watch === undefined) return reasons;

  const stolen = watchedSteal(watch);
  if (stolen !== null && stolen > LIMITS.stealWatched.value) reasons.push(`${percent(stolen)} stolen while watched`);
  essential("busy processes", watch.busy, ([most]) => {
    if (most === undefined || most.share <= LIMITS.busyShare.value) return null;
    return `${most.name} uses ${percent(most.share)} of a CPU`;
  });
  essential("the canary", watch.canary, (canary) => {
    const varied = canaryVariation(canary);
    if ("unknown" in varied) return `the canary tells nothing (${varied.unknown})`;
    return varied.cv > LIMITS.canaryCv.value ? `a fixed piece of work varies by ${percent(varied.cv)} (CV)` : null;
  });
  return reasons;
}
