import { median } from "../statistics/median.ts";
import { variation } from "../statistics/variation.ts";
import type { CanaryFacts, MachineFacts, WatchFacts } from "./facts.ts";
import { about, asRoot, type Finding, writeSetting } from "./finding.ts";
import { LIMITS } from "./limits.ts";
import { isGuest, noneHere } from "./surroundings.ts";
import { gigahertz, percent } from "./texts.ts";

/** Whether the CPUs keep one speed: governor, boost, clock range, power, clock source, canary. */
export function judgeSpeed(facts: MachineFacts, watch: WatchFacts): Finding[] {
  return [governor(facts), boost(facts), clockRange(facts), power(facts), clocksource(facts), canary(facts, watch)];
}

/** Names the governors that do not hold the clock up, or none. */
export function unsteadyGovernors(governors: readonly string[]): readonly string[] {
  return governors.filter((name) => name !== "performance");
}

function governor(facts: MachineFacts): Finding {
  const subject = about("governor", "Frequency governor");
  const cost = "the clock follows the load, so slow cells run on a slower CPU";
  return subject.from(facts.governors, { cost, mend: noneHere(facts) }, (names) => {
    if (unsteadyGovernors(names).length === 0) return subject.ok(names.join(", "));
    const files = "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor";
    return subject.costs(names.join(", "), cost, writeSetting(facts.root, "performance", files));
  });
}

function boost(facts: MachineFacts): Finding {
  const subject = about("boost", "Turbo or boost");
  const cost = "the clock depends on temperature and on what other cores do";
  return subject.from(facts.boost, { cost, mend: noneHere(facts) }, ({ on, switch: file }) => {
    if (!on) return subject.ok("off");
    return subject.costs("on", cost, writeSetting(facts.root, file.endsWith("no_turbo") ? "1" : "0", file));
  });
}

function clockRange(facts: MachineFacts): Finding {
  const subject = about("clock", "Clock range");
  const cost = "how far the clock may fall is not known";
  return subject.from(facts.clockRangeKHz, { cost, mend: noneHere(facts) }, ({ min, max }) => {
    const seen = `${gigahertz(min)} to ${gigahertz(max)}`;
    const held = "value" in facts.governors && unsteadyGovernors(facts.governors.value).length === 0;
    const fall = 1 - min / max;
    if (held || fall <= LIMITS.clockRange.value) return subject.ok(held ? `${seen}, held up by the governor` : seen);
    return subject.costs(
      seen,
      `a CPU may run up to ${percent(fall)} slower than at its best`,
      asRoot(facts.root, `cpupower frequency-set --min ${max}kHz --max ${max}kHz`),
    );
  });
}

function power(facts: MachineFacts): Finding {
  const subject = about("power", "Power");
  return subject.from(
    facts.power,
    { cost: "a battery or a saving mode lowers the clock", mend: noneHere(facts) },
    ({ source, saving }) => {
      if (source === "battery") {
        return subject.costs("on battery", "the clock falls to save power", { none: "plug the machine in" });
      }
      if (!saving && isGuest(facts)) {
        return subject.unknown(
          "no battery shown, but a guest sees what its hypervisor shows",
          "a battery or a saving mode lowers the clock",
          noneHere(facts),
        );
      }
      if (!saving) return subject.ok("mains");
      const mend = facts.os === "darwin"
        ? asRoot(facts.root, "pmset -a lowpowermode 0")
        : { command: "powerprofilesctl set performance" };
      return subject.costs("mains, saving mode on", "the clock is kept low to save power", mend);
    },
  );
}

/** Clocks read in user space, without a system call. */
const FAST_CLOCKS = [
  "tsc",
  "kvm-clock",
  "hyperv_clocksource_tsc_page",
  "arch_sys_counter",
  "mach_absolute_time",
  "stimer",
  "riscv_clocksource",
];

function clocksource(facts: MachineFacts): Finding {
  const subject = about("clocksource", "Clock source");
  const cost = "each look at the clock is a system call: runtimes look often, and wrk at every request";
  return subject.from(facts.clocksource, { cost, mend: noneHere(facts) }, ({ current, available }) => {
    if (FAST_CLOCKS.includes(current)) return subject.ok(current);
    const better = available.find((name) => FAST_CLOCKS.includes(name));
    const file = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    return subject.costs(
      current,
      cost,
      better === undefined ? noneHere(facts) : writeSetting(facts.root, better, file),
    );
  });
}

/** How much a canary's times varied, as a fraction of their mean; or why that cannot be said. */
export function canaryVariation(canary: CanaryFacts): { cv: number; of: "cpu" | "wall" } | { unknown: string } {
  const n = canary.wallMs.length;
  if (n < LIMITS.leastCanaryRepeats.value) {
    return { unknown: `${n} of ${LIMITS.leastCanaryRepeats.value} repeats made` };
  }
  const wall = variation(canary.wallMs), cpu = variation(canary.cpuMs);
  if (wall.kind === "unknown") return { unknown: wall.reason };
  // CPU time that varies as much as wall time means the CPU changed speed; otherwise others took it.
  return { cv: wall.cv, of: cpu.kind === "known" && cpu.cv >= wall.cv / 2 ? "cpu" : "wall" };
}

function canary(facts: MachineFacts, watch: WatchFacts): Finding {
  const subject = about("canary", "Canary");
  const cost = "how steady the CPU is was not seen";
  return subject.from(watch.canary, { cost, mend: { none: "mend what kept it from running" } }, (canary) => {
    const varied = canaryVariation(canary);
    if ("unknown" in varied) return subject.unknown(varied.unknown, cost, { command: "bin/bench doctor" });
    const where = canary.cpu === null ? "not pinned" : `on CPU ${canary.cpu}`;
    const slowest = Math.max(...canary.wallMs) / median(canary.wallMs) - 1;
    const seen =
      `${canary.wallMs.length} × ${median(canary.wallMs).toFixed(1)} ms ${where}: CV ${percent(varied.cv)}, ` +
      `slowest ${percent(slowest)} over the median`;
    if (varied.cv <= LIMITS.canaryCv.value) return subject.ok(seen);
    return subject.costs(
      seen,
      varied.of === "cpu"
        ? "the CPU changes speed within a second: small differences need duets, not solo trials"
        : "others take the CPU in between: small differences need duets, not solo trials",
      varied.of === "cpu" ? noneHere(facts) : { none: "stop what else runs here, see busy processes and steal" },
    );
  });
}
