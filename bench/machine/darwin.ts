import type { Reading } from "../record/samples.ts";
import { attempt } from "./attempt.ts";
import { type Ask, ask as askSystem } from "./ask.ts";
import { parseSwappedPages, parseTcpCounter } from "./darwin-text.ts";
import type { Machine } from "./machine.ts";

const NOT_OFFERED = { unreadable: "macOS does not offer it to ordinary processes" };

/**
 * macOS: no pinning (thread affinity is not supported on Apple silicon), CPU time and memory from `ps`, swap from
 * `vm_stat`, connections from `netstat`. What it does not tell is null or unreadable, never zero.
 *
 * @param ask runs a program and gives its output, so that recorded output can be read
 */
export function darwinMachine(ask: Ask = askSystem): Machine {
  const column = <T>(pid: number, name: string, parse: (text: string) => T | undefined): Reading<T> =>
    attempt(`ps ${name}`, () => {
      const text = ask("ps", ["-o", `${name}=`, "-p", String(pid)]).trim();
      if (text === "") throw new Error(`no process ${pid}`);
      return parse(text);
    });
  return {
    os: "darwin",
    topology: () => ({ cpus: null, why: "macOS cannot pin processes to cores" }),
    sampleProcess(pid) {
      const cpu = column(pid, "time", parsePsTime);
      if ("unreadable" in cpu) return cpu;
      const cpuNs = Math.round(cpu.value * 1e9);
      return {
        value: {
          atMs: performance.now(),
          // ps counts the process as a whole, ended threads too.
          threads: new Map([[pid, { cpuNs, waitNs: null }]]),
          tickNs: cpuNs,
          involuntarySwitches: null,
        },
      };
    },
    serverUse: () => NOT_OFFERED,
    sampleCpus: () => ({
      cpus: NOT_OFFERED,
      kernelThreads: NOT_OFFERED,
      otherThreads: NOT_OFFERED,
      links: NOT_OFFERED,
      khz: NOT_OFFERED,
      cpusAtMs: performance.now(),
    }),
    sampleCounts() {
      const tcp = attempt("netstat -s", () => ask("netstat", ["-s", "-p", "tcp"]));
      const counter = (words: RegExp): Reading<number> =>
        "unreadable" in tcp ? tcp : attempt("netstat -s", () => parseTcpCounter(tcp.value, words));
      return {
        passiveOpens: counter(/connection accepts/),
        listenOverflows: counter(/listen queue overflows/),
        retransmits: counter(/data packets \(\d+ bytes\) retransmitted/),
        swappedPages: attempt("vm_stat", () => parseSwappedPages(ask("vm_stat", []))),
        throttledNs: NOT_OFFERED,
        loopbackBytes: NOT_OFFERED,
        clockMs: Date.now() - performance.now(),
      };
    },
    threadCpus: () => NOT_OFFERED,
    freeMemoryShare: () => NOT_OFFERED,
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
