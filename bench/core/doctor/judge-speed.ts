import { valueOf } from "../../record/samples.ts";
import { median } from "../../statistics/median.ts";
import { variation } from "../../statistics/variation.ts";
import type { CanaryFacts, MachineFacts, WatchFacts } from "./facts.ts";
import { about, asRoot, type Finding, isGuest, noneHere, percent, writeSetting } from "./finding.ts";
import { LIMITS } from "./limits.ts";

/** Names the governors that do not hold the clock up, or none. */
export function unsteadyGovernors(governors: readonly string[]): readonly string[] {
  return governors.filter((name) => name !== "performance");
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

/** A clock as people read it: `3.40 GHz`. */
const gigahertz = (kHz: number) => `${(kHz / 1e6).toFixed(2)} GHz`;

/** Whether the CPUs keep one speed: governor, boost, clock range, power, clock source, canary. */
export function judgeSpeed(facts: MachineFacts, watch: WatchFacts): Finding[] {
  const none = noneHere(facts);
  return [
    about("governor", "Frequency governor", "the clock follows the load, so slow cells run on a slower CPU")
      .from(facts.governors, none, (names, { ok, costs }) => {
        const files = "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor";
        return unsteadyGovernors(names).length === 0
          ? ok(names.join(", "))
          : costs(names.join(", "), writeSetting(facts.root, "performance", files));
      }),
    about("boost", "Turbo or boost", "the clock depends on temperature and on what other cores do")
      .from(facts.boost, none, ({ on, switch: file }, { ok, costs }) => {
        const off = file.endsWith("no_turbo") ? "1" : "0";
        return on ? costs("on", writeSetting(facts.root, off, file)) : ok("off");
      }),
    about("clock", "Clock range", "how far the clock may fall is not known")
      .from(facts.clockRangeKHz, none, ({ min, max }, { ok, costs }) => {
        const seen = `${gigahertz(min)} to ${gigahertz(max)}`;
        const governors = valueOf(facts.governors);
        if (governors !== null && unsteadyGovernors(governors).length === 0) {
          return ok(`${seen}, held up by the governor`);
        }
        const fall = 1 - min / max;
        if (fall <= LIMITS.clockRange.value) return ok(seen);
        const hold = asRoot(facts.root, `cpupower frequency-set --min ${max}kHz --max ${max}kHz`);
        return costs(seen, hold, `a CPU may run up to ${percent(fall)} slower than at its best`);
      }),
    about("power", "Power", "a battery or a saving mode lowers the clock")
      .from(facts.power, none, ({ source, saving }, { ok, costs, unknown }) => {
        if (source === "battery") {
          return costs("on battery", { none: "plug the machine in" }, "the clock falls to save power");
        }
        if (!saving && isGuest(facts)) {
          return unknown("no battery shown, but a guest sees what its hypervisor shows", none);
        }
        if (!saving) return ok("mains");
        const mend = facts.os === "darwin"
          ? asRoot(facts.root, "pmset -a lowpowermode 0")
          : { command: "powerprofilesctl set performance" };
        return costs("mains, saving mode on", mend, "the clock is kept low to save power");
      }),
    about(
      "clocksource",
      "Clock source",
      "each look at the clock is a system call: runtimes look often, and wrk at every request",
    ).from(facts.clocksource, none, ({ current, available }, { ok, costs }) => {
      if (FAST_CLOCKS.includes(current)) return ok(current);
      const better = available.find((name) => FAST_CLOCKS.includes(name));
      const file = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
      return costs(current, better === undefined ? none : writeSetting(facts.root, better, file));
    }),
    canary(facts, watch),
  ];
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
  return about("canary", "Canary", "how steady the CPU is was not seen")
    .from(watch.canary, { none: "mend what kept it from running" }, (canary, { ok, costs, unknown }) => {
      const varied = canaryVariation(canary);
      if ("unknown" in varied) return unknown(varied.unknown, { command: "bin/bench doctor" });
      const where = canary.cpu === null ? "not pinned" : `on CPU ${canary.cpu}`;
      const middle = median(canary.wallMs);
      const slowest = Math.max(...canary.wallMs) / middle - 1;
      const seen = `${canary.wallMs.length} × ${middle.toFixed(1)} ms ${where}: CV ${percent(varied.cv)}, ` +
        `slowest ${percent(slowest)} over the median`;
      if (varied.cv <= LIMITS.canaryCv.value) return ok(seen);
      const why = varied.of === "cpu" ? "the CPU changes speed within a second" : "others take the CPU in between";
      return costs(
        seen,
        varied.of === "cpu" ? noneHere(facts) : { none: "stop what else runs here, see busy processes and steal" },
        `${why}: small differences need servers measured together, not one at a time`,
      );
    });
}
