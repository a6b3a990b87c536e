import type { Reading } from "../record/samples.ts";
import type { Machine } from "./machine.ts";
import { type OutputOf, outputOf as askSystem } from "./programs.ts";
import { attempt } from "./readings.ts";

const NOT_OFFERED = { unreadable: "macOS does not offer it to ordinary processes" };

/**
 * macOS: no pinning (thread affinity is not supported on Apple silicon), CPU time and memory from `ps`, swap from
 * `vm_stat`, connections from `netstat`. A fact it does not offer is null or unreadable, never zero.
 *
 * @param ask runs a program and returns its output, so that recorded output can be read
 */
export function darwinMachine(ask: OutputOf = askSystem): Machine {
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

/*
 * Readers of what macOS programs print. Pure: text in, values out; undefined when the text is not as documented.
 */

/** `sysctl name …`: lines of `name: value`. Names it does not know are left out. */
export function parseSysctl(text: string): Map<string, string> {
  return new Map(
    text.split("\n").flatMap((line) => {
      const match = /^([\w.]+): (.*)$/.exec(line);
      return match === null ? [] : [[match[1]!, match[2]!.trim()] as const];
    }),
  );
}

/** `vm_stat`: pages brought in from swap and taken out to it since boot. */
function parseSwappedPages(text: string): number | undefined {
  const count = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)\\.?$`, "m").exec(text)?.[1] ?? NaN);
  const pages = count("Swapins") + count("Swapouts");
  return Number.isFinite(pages) ? pages : undefined;
}

/** A counter of `netstat -s -p tcp`: a number and the words after it. */
function parseTcpCounter(text: string, words: RegExp): number | undefined {
  const match = new RegExp(`^\\s*(\\d+) ${words.source}`, "m").exec(text);
  return match === null ? undefined : Number(match[1]);
}
