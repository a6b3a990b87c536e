import { orElse } from "../../basics/errors.ts";
import type { ProcessSample, Reading, ServerUse } from "../../record/samples.ts";
import { attempt, type FileTree } from "../readings.ts";
import { parseEndedChildrenTimes, parseSchedstat, parseStat, parseStatTimes, parseStatusField } from "./proc-text.ts";

type Thread = readonly [pid: string, tid: string];

/** Reads processes together with all processes they have started. Paths are below /proc. */
export function processTree(proc: FileTree) {
  return {
    /** @param switches count involuntary context switches, too */
    sample: (pid: number, switches: boolean): Reading<ProcessSample> =>
      attempt(`/proc/${pid}`, () => sampleOf(proc, pid, switches)),
    /** User and system time, page faults, and the use of each thread. */
    use: (pid: number): Reading<ServerUse> => attempt(`/proc/${pid}`, () => useOf(proc, pid)),
    /** Lists of CPUs that the threads may use, without duplicates. */
    threadCpus: (pid: number): Reading<readonly string[]> =>
      attempt(`/proc/${pid}`, () => [
        ...new Set(
          stillThere(threadsOf(proc, String(pid)), ([owner, tid]) =>
            parseStatusField(proc.text(owner, "task", tid, "status"), "Cpus_allowed_list") ?? "?"),
        ),
      ]),
    peakRssBytes: (pid: number): Reading<number> =>
      attempt("VmHWM", () =>
        total(ofEach(pid, orElse(() => threadsOf(proc, String(pid)), []), (each) => {
          const kib = /^(\d+) kB$/.exec(parseStatusField(proc.text(each, "status"), "VmHWM") ?? "")?.[1];
          return kib === undefined ? undefined : Number(kib) * 1024;
        }))),
  };
}

/** Returns the threads of a process and of all processes it has started. */
function threadsOf(proc: FileTree, pid: string): Thread[] {
  return proc.list(pid, "task").flatMap((tid): Thread[] => {
    const children = attempt("children", () => proc.text(pid, "task", tid, "children"));
    const started = "value" in children ? children.value.split(" ").filter((child) => /^\d+$/.test(child)) : [];
    return [[pid, tid], ...started.flatMap((child) => orElse(() => threadsOf(proc, child), []))];
  });
}

/** Reads a number of each process that threads belong to: undefined if it is unknown for the first, 0 for others that ended. */
function ofEach(pid: number, threads: readonly Thread[], of: (pid: string) => number | undefined) {
  const leader = of(String(pid));
  if (leader === undefined) return undefined;
  const others = new Set(threads.map(([owner]) => owner).filter((owner) => owner !== String(pid)));
  return new Map([
    [String(pid), leader],
    ...[...others].map((each) => [each, orElse(() => of(each), 0) ?? 0] as const),
  ]);
}

const total = (each?: Map<string, number>) => each && [...each.values()].reduce((all, one) => all + one, 0);

function sampleOf(proc: FileTree, pid: number, switches: boolean): ProcessSample | undefined {
  const all = threadsOf(proc, String(pid));
  let involuntary = 0;
  const times = stillThere(all, ([owner, tid]) => {
    const time = parseSchedstat(proc.text(owner, "task", tid, "schedstat"));
    if (switches) {
      const status = proc.text(owner, "task", tid, "status");
      involuntary += Number(parseStatusField(status, "nonvoluntary_ctxt_switches") ?? 0);
    }
    return [Number(tid), time] as const;
  });
  // The kernel's ticks include children that have ended: the process that waited for them counts their time.
  const ticks = ofEach(pid, all, (each) => {
    const stat = proc.text(each, "stat");
    const used = parseStatTimes(stat);
    return used === undefined ? undefined : used + (parseEndedChildrenTimes(stat) ?? 0);
  });
  const known = times.flatMap(([tid, time]) => time === undefined ? [] : [[tid, time] as const]);
  if (ticks === undefined || known.length < times.length) return undefined;
  const processes = new Map([...ticks].map(([each, tickNs]) => [
    Number(each),
    { tickNs, tids: all.filter(([owner]) => owner === each).map(([, tid]) => Number(tid)) },
  ]));
  return {
    atMs: performance.now(),
    threads: new Map(known),
    tickNs: total(ticks)!,
    processes,
    involuntarySwitches: switches ? involuntary : null,
  };
}

function useOf(proc: FileTree, pid: number): ServerUse | undefined {
  const all = threadsOf(proc, String(pid));
  const threads = stillThere(all, ([owner, tid]) => {
    const [stat, times, status] = [
      parseStat(proc.text(owner, "task", tid, "stat")),
      parseSchedstat(proc.text(owner, "task", tid, "schedstat")),
      proc.text(owner, "task", tid, "status"),
    ];
    const count = (name: string) => Number(parseStatusField(status, `${name}_ctxt_switches`) ?? 0);
    return stat && times &&
      [Number(tid), {
        ...{ name: stat.name, process: Number(owner), userNs: stat.userNs, systemNs: stat.systemNs },
        ...times,
        ...{ voluntarySwitches: count("voluntary"), involuntarySwitches: count("nonvoluntary") },
      }] as const;
  });
  const whole = (field: "userNs" | "systemNs" | "minorFaults" | "majorFaults") =>
    total(ofEach(pid, all, (each) => parseStat(proc.text(each, "stat"))?.[field]));
  const [userNs, systemNs] = [whole("userNs"), whole("systemNs")];
  if (userNs === undefined || systemNs === undefined) return undefined;
  const [minorFaults = null, majorFaults = null] = [whole("minorFaults"), whole("majorFaults")];
  // Another user's process, or a kernel without the account of bytes, shows none.
  const written = (each: string) => orElse(() => parseStatusField(proc.text(each, "io"), "write_bytes"), undefined);
  const bytes = total(ofEach(pid, all, (each) => {
    const text = written(each);
    return text === undefined ? undefined : Number(text);
  }));
  return {
    threads: new Map(threads.filter((each) => each !== undefined)),
    userNs,
    systemNs,
    minorFaults,
    majorFaults,
    writtenBytes: bytes ?? null,
  };
}

/** Reads each thread; skips those that ended since the listing. */
function stillThere<T>(threads: readonly Thread[], of: (thread: Thread) => T): T[] {
  return threads.flatMap((thread) => {
    try {
      return [of(thread)];
    } catch (error) {
      if (!["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
      return [];
    }
  });
}
