import { parseCpuTimes } from "../linux/proc-text.ts";
import { attempt, numberIn } from "./attempt.ts";
import type { Files } from "./files.ts";

/** What Linux says of the work of others: steal, load, pressure, power. */
export function linuxLoad(files: Files, allowed: readonly number[]) {
  return {
    stealShare: attempt("steal in /proc/stat", () => {
      const cpus = parseCpuTimes(files.text("proc/stat"));
      if (cpus === undefined) return undefined;
      let busy = 0, stolen = 0;
      for (const [cpu, { busyNs, stealNs }] of cpus) {
        if (allowed.length > 0 && !allowed.includes(cpu)) continue;
        busy += busyNs;
        stolen += stealNs;
      }
      return busy + stolen === 0 ? 0 : stolen / (busy + stolen);
    }),
    loadAverage: attempt("/proc/loadavg", () => numberIn(files.text("proc/loadavg"), /^(\d+\.\d+)/)),
    pressure: attempt("/proc/pressure", () => {
      const [cpu, io, memory] = ["cpu", "io", "memory"].map((kind) =>
        numberIn(files.text(`proc/pressure/${kind}`), /^some avg10=(\d+(?:\.\d+)?)/m)
      );
      if (cpu === undefined || io === undefined || memory === undefined) return undefined;
      return { cpu: cpu / 100, io: io / 100, memory: memory / 100 };
    }),
    power: attempt("the power supply", () => {
      // A machine without a battery has nothing in it.
      const supplies = files.list("sys/class/power_supply");
      const discharging = supplies.some((name) => {
        const of = (file: string) => files.textOr(`sys/class/power_supply/${name}/${file}`);
        return of("type") === "Battery" && of("scope") !== "Device" && of("status") === "Discharging";
      });
      const profile = "sys/firmware/acpi/platform_profile";
      const saving = files.has(profile) && files.text(profile) === "low-power";
      return { source: discharging ? "battery" as const : "mains" as const, saving };
    }),
  };
}
