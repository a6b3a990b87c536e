import { execFileSync } from "node:child_process";
import type { Reading } from "../core/samples.ts";
import type { Machine } from "./machine.ts";

const NOT_OFFERED = "macOS does not offer it to ordinary processes";

/**
 * macOS: no pinning (thread affinity is not supported on Apple silicon), CPU time and memory from `ps`.
 * @param ps runs `ps` and gives its output, so that recorded output can be read
 */
export function darwinMachine(ps: (args: string[]) => string = runPs): Machine {
  const column = <T>(pid: number, name: string, parse: (text: string) => T | undefined): Reading<T> => {
    try {
      const value = parse(ps(["-o", `${name}=`, "-p", String(pid)]).trim());
      return value === undefined ? { unreadable: `ps ${name} has an unknown form` } : { value };
    } catch (error) {
      return { unreadable: `ps: ${(error as Error).message.split("\n")[0]}` };
    }
  };
  const unreadable = { unreadable: NOT_OFFERED };
  return {
    os: "darwin",
    topology: () => ({ cpus: null, why: "macOS cannot pin processes to cores" }),
    sampleProcess(pid) {
      const cpu = column(pid, "time", parsePsTime);
      if ("unreadable" in cpu) return cpu;
      const cpuNs = cpu.value * 1e9;
      return {
        value: {
          atMs: performance.now(),
          threads: new Map([[pid, { cpuNs, waitNs: 0 }]]),
          tickNs: cpuNs,
          involuntarySwitches: 0,
        },
      };
    },
    sampleSystem: () => ({
      cpus: unreadable,
      passiveOpens: unreadable,
      listenOverflows: unreadable,
      retransmits: unreadable,
      swappedPages: unreadable,
      throttledNs: unreadable,
    }),
    threadCpus: () => unreadable,
    // ps has no peak; the resident size now is the nearest it offers.
    peakRssBytes: (pid) => column(pid, "rss", (text) => /^\d+$/.test(text) ? Number(text) * 1024 : undefined),
  };
}

/** Reads the CPU time of `ps`, `[[days-]hours:]minutes:seconds.hundredths`, as seconds. */
export function parsePsTime(text: string): number | undefined {
  const match = /^(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+(?:[.,]\d+)?)$/.exec(text);
  if (match === null) return undefined;
  const [days, hours, minutes, seconds] = match.slice(1).map((part) => Number((part ?? "0").replace(",", ".")));
  return ((days! * 24 + hours!) * 60 + minutes!) * 60 + seconds!;
}

function runPs(args: string[]): string {
  return execFileSync("ps", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}
