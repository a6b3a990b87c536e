import { orElse } from "../../basics/errors.ts";
import type { ProcessSample, Reading, ServerUse } from "../../record/samples.ts";
import { attempt } from "../attempt.ts";
import type { FileTree } from "./file-tree.ts";
import { parseEndedChildrenTimes, parseSchedstat, parseStat, parseStatTimes, parseStatusField } from "./proc-text.ts";

/** A thread, and the process it belongs to. */
type Thread = readonly [pid: string, tid: string];

/** Reads processes together with all they have started. Paths are below /proc. */
export function processTree({ text, list }: FileTree) {
  const threadsOf = (pid: string): Thread[] =>
    list(pid, "task").flatMap((tid): Thread[] => {
      const children = attempt("children", () => text(pid, "task", tid, "children"));
      const started = "value" in children ? children.value.split(" ").filter((child) => /^\d+$/.test(child)) : [];
      return [[pid, tid], ...started.flatMap((child) => orElse(() => threadsOf(child), []))];
    });

  /** Reads a process, of which it must be known, and all it has started, as far as they are there. */
  const ofEach = (pid: number, threads: readonly Thread[], of: (pid: string) => number | undefined) => {
    const leader = of(String(pid));
    const others = new Set(threads.map(([owner]) => owner).filter((owner) => owner !== String(pid)));
    if (leader === undefined) return undefined;
    return new Map([
      [String(pid), leader],
      ...[...others].map((each) => [each, orElse(() => of(each), 0) ?? 0] as const),
    ]);
  };
  const sum = (each?: Map<string, number>) => each && [...each.values()].reduce((all, one) => all + one, 0);
  const summed = (...read: Parameters<typeof ofEach>) => sum(ofEach(...read));

  return {
    /** @param switches how often it was made to wait, too */
    sample: (pid: number, switches: boolean): Reading<ProcessSample> =>
      attempt(`/proc/${pid}`, () => {
        const own = threadsOf(String(pid));
        let involuntary = 0;
        const times = stillThere(own, ([owner, tid]) => {
          const time = parseSchedstat(text(owner, "task", tid, "schedstat"));
          if (switches) {
            const status = text(owner, "task", tid, "status");
            involuntary += Number(parseStatusField(status, "nonvoluntary_ctxt_switches") ?? 0);
          }
          return [Number(tid), time] as const;
        });
        // By the kernel's ticks also those that have ended: they are counted by whoever waited for them.
        const ticks = ofEach(pid, own, (each) => {
          const stat = text(each, "stat");
          const used = parseStatTimes(stat);
          return used === undefined ? undefined : used + (parseEndedChildrenTimes(stat) ?? 0);
        });
        const known = times.flatMap(([tid, time]) => time === undefined ? [] : [[tid, time] as const]);
        if (ticks === undefined || known.length < times.length) return undefined;
        const involuntarySwitches = switches ? involuntary : null;
        const processes = new Map([...ticks].map(([each, tickNs]) => [
          Number(each),
          { tickNs, tids: own.filter(([owner]) => owner === each).map(([, tid]) => Number(tid)) },
        ]));
        const tickNs = sum(ticks)!;
        return { atMs: performance.now(), threads: new Map(known), tickNs, processes, involuntarySwitches };
      }),

    /** What it used by thread, with user and system time apart. */
    use: (pid: number): Reading<ServerUse> =>
      attempt(`/proc/${pid}`, () => {
        const own = threadsOf(String(pid));
        const threads = stillThere(own, ([owner, tid]) => {
          const [stat, times, status] = [
            parseStat(text(owner, "task", tid, "stat")),
            parseSchedstat(text(owner, "task", tid, "schedstat")),
            text(owner, "task", tid, "status"),
          ];
          const count = (name: string) => Number(parseStatusField(status, `${name}_ctxt_switches`) ?? 0);
          return stat && times &&
            [Number(tid), {
              ...{ name: stat.name, userNs: stat.userNs, systemNs: stat.systemNs },
              ...times,
              ...{ voluntarySwitches: count("voluntary"), involuntarySwitches: count("nonvoluntary") },
            }] as const;
        });
        const whole = (field: "userNs" | "systemNs" | "minorFaults" | "majorFaults") =>
          summed(pid, own, (each) => parseStat(text(each, "stat"))?.[field]);
        const [userNs, systemNs] = [whole("userNs"), whole("systemNs")];
        if (userNs === undefined || systemNs === undefined) return undefined;
        const [minorFaults = null, majorFaults = null] = [whole("minorFaults"), whole("majorFaults")];
        const known = new Map(threads.filter((each) => each !== undefined));
        return { threads: known, userNs, systemNs, minorFaults, majorFaults };
      }),

    /** CPUs each thread may use, as lists; the same list once. */
    threadCpus: (pid: number): Reading<readonly string[]> =>
      attempt(`/proc/${pid}`, () => [
        ...new Set(stillThere(
          threadsOf(String(pid)),
          ([owner, tid]) => parseStatusField(text(owner, "task", tid, "status"), "Cpus_allowed_list") ?? "?",
        )),
      ]),

    peakRssBytes: (pid: number): Reading<number> =>
      attempt("VmHWM", () =>
        summed(pid, orElse(() => threadsOf(String(pid)), []), (each) => {
          const kib = /^(\d+) kB$/.exec(parseStatusField(text(each, "status"), "VmHWM") ?? "")?.[1];
          return kib === undefined ? undefined : Number(kib) * 1024;
        })),
  };
}

/** Reads each thread, without those that ended between listing and reading. */
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
