import { orElse } from "../basics/errors.ts";
import { percent } from "../basics/units.ts";
import { ofEach } from "./cpus.ts";
import { parseBattery, parsePowerMode } from "../machine/darwin.ts";
import { DOCTOR_LIMITS } from "./doctor-limits.ts";
import { asRoot, costs, isGuest, noneHere, ok, row, unknown, writeSetting } from "./row.ts";

const FOLDER = "sys/devices/system/cpu";
const CLOCKS = "sys/devices/system/clocksource/clocksource0";

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

/** Names of governors that lower the clock. */
const unsteady = (governors: readonly string[]) => governors.filter((name) => name !== "performance");

/** Rows on the speed of the CPUs: governor and clocks, boost, power, clock source. */
export const SPEED = {
  governor: row("Frequency governor", "the clock follows the load, so slow cells run on a slower CPU", {
    linux(from) {
      const names = ofEach(from, (folder) => from.files.line(`${folder}/cpufreq/scaling_governor`));
      const [lows, highs] = ["min", "max"].map((end) =>
        orElse(() => ofEach(from, (folder) => from.files.count(`${folder}/cpufreq/scaling_${end}_freq`)), undefined)
      );
      const range = lows && highs ? { minKHz: Math.min(...lows), maxKHz: Math.max(...highs) } : null;
      return names && { names: [...new Set(names)], range };
    },
    darwin: "macOS does not tell how it governs the clock to ordinary processes",
    judge({ names, range }, around) {
      const clocks = range === null ? [] : [`${gigahertz(range.minKHz)} to ${gigahertz(range.maxKHz)}`];
      const seen = [...names, ...clocks].join(", ");
      if (unsteady(names).length === 0) return ok(seen);
      const mend = writeSetting(around, "performance", "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor");
      const fall = range === null ? 0 : 1 - range.minKHz / range.maxKHz;
      const slower = `the clock follows the load: a CPU may run up to ${percent(fall)} slower than at its best`;
      return costs(seen, mend, fall > DOCTOR_LIMITS.clockRange ? slower : undefined);
    },
    needed: "the governor",
    shared: ({ names }) =>
      unsteady(names).length === 0
        ? null
        : `the governor is ${unsteady(names).join(", ")}, so the clock follows the load`,
  }),
  boost: row("Turbo or boost", "the clock depends on temperature and on what other cores do", {
    linux({ files }) {
      const intel = `${FOLDER}/intel_pstate/no_turbo`, other = `${FOLDER}/cpufreq/boost`;
      return files.has(intel)
        ? { on: files.line(intel) === "0", file: `/${intel}` }
        : { on: files.line(other) === "1", file: `/${other}` };
    },
    darwin: "macOS does not tell whether CPUs boost to ordinary processes",
    judge({ on, file }, around) {
      return on ? costs("on", writeSetting(around, file.endsWith("no_turbo") ? "1" : "0", file)) : ok("off");
    },
    needed: "boost",
    shared: ({ on }) => on ? "boost is on, so the clock depends on heat and neighbours" : null,
  }),
  power: row("Power", "a battery or a saving mode lowers the clock", {
    linux({ files }) {
      // Without a battery the folder is empty.
      const discharging = files.list("sys/class/power_supply").some((name) => {
        const of = (file: string) => files.lineOr(`sys/class/power_supply/${name}/${file}`);
        return of("type") === "Battery" && of("scope") !== "Device" && of("status") === "Discharging";
      });
      const saving = files.lineOr("sys/firmware/acpi/platform_profile") === "low-power";
      return { source: discharging ? "battery" : "mains", saving };
    },
    darwin({ ask }) {
      const source = parseBattery(ask("pmset", ["-g", "batt"]));
      return source && { source, saving: parsePowerMode(ask("pmset", ["-g"])) };
    },
    judge({ source, saving }, around) {
      if (source === "battery") {
        return costs("on battery", { none: "plug the machine in" }, "the clock falls to save power");
      }
      if (saving) {
        const darwin = around.os === "darwin";
        const off = darwin ? asRoot(around, "pmset -a lowpowermode 0") : "powerprofilesctl set performance";
        return costs("mains, saving mode on", off, "the clock is kept low to save power");
      }
      if (!isGuest(around)) return ok("mains");
      return unknown("no battery shown, but a guest sees what its hypervisor shows", noneHere(around));
    },
  }),
  clocksource: row(
    "Clock source",
    "each look at the clock is a system call: runtimes look often, and wrk at every request",
    {
      linux: ({ files }) => ({
        current: files.line(`${CLOCKS}/current_clocksource`),
        available: files.line(`${CLOCKS}/available_clocksource`).split(/\s+/),
      }),
      // The one clock of macOS, read in user space.
      darwin: () => ({ current: "mach_absolute_time", available: ["mach_absolute_time"] }),
      judge({ current, available }, around) {
        if (FAST_CLOCKS.includes(current)) return ok(current);
        const better = available.find((name) => FAST_CLOCKS.includes(name));
        const mend = better === undefined
          ? noneHere(around)
          : writeSetting(around, better, `/${CLOCKS}/current_clocksource`);
        return costs(current, mend);
      },
    },
  ),
};
