import type { MachineFacts } from "../../core/doctor/facts.ts";
import { parseCpuTimes } from "../linux/proc-text.ts";
import { attempt } from "./attempt.ts";
import type { Files } from "./files.ts";

/** The `some avg10` of a pressure file, as a share. */
export function parsePressure(text: string): number | undefined {
  const match = /^some avg10=(\d+(?:\.\d+)?)/m.exec(text);
  return match === null ? undefined : Number(match[1]) / 100;
}

/** What Linux says of the work of others: steal, load, pressure, power. */
export function linuxLoad(
  files: Files,
  allowed: readonly number[],
): Pick<MachineFacts, "stealShare" | "loadAverage" | "pressure" | "power"> {
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
    loadAverage: attempt("/proc/loadavg", () => {
      const first = /^\d+\.\d+/.exec(files.text("proc/loadavg"))?.[0];
      return first === undefined ? undefined : Number(first);
    }),
    pressure: attempt("/proc/pressure", () => {
      const [cpu, io, memory] = ["cpu", "io", "memory"].map((kind) =>
        parsePressure(files.text(`proc/pressure/${kind}`))
      );
      return cpu === undefined || io === undefined || memory === undefined ? undefined : { cpu, io, memory };
    }),
    power: attempt("the power supply", () => {
      const folder = "sys/class/power_supply";
      // A machine without a battery has nothing in it.
      const supplies = files.list(folder);
      const of = (name: string, file: string) => {
        try {
          return files.text(`${folder}/${name}/${file}`);
        } catch {
          return "";
        }
      };
      const systemBattery = supplies.some((name) =>
        of(name, "type") === "Battery" && of(name, "scope") !== "Device" && of(name, "status") === "Discharging"
      );
      const profile = "sys/firmware/acpi/platform_profile";
      const saving = files.has(profile) && files.text(profile) === "low-power";
      return { source: systemBattery ? "battery" as const : "mains" as const, saving };
    }),
  };
}
