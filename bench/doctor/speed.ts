import { orElse } from "../basics/errors.ts";
import { percent } from "../basics/units.ts";
import { ofEach } from "./cpus.ts";
import { DOCTOR_LIMITS } from "./doctor-limits.ts";
import { costs, ok, row, writeSetting } from "./row.ts";

const FOLDER = "sys/devices/system/cpu";
const gigahertz = (kHz: number) => `${(kHz / 1e6).toFixed(2)} GHz`;

const unsteady = (governors: readonly string[]) => governors.filter((name) => name !== "performance");

/** Rows on the speed of the CPUs: governor and clocks, boost. */
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
};
