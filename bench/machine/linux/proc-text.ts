/*
 * Readers of the kernel's text formats (man 5 proc). Pure: text in, numbers out; undefined when the text is not as
 * documented.
 */

/** Clock ticks of /proc are 10 ms on every Linux these runtimes support (USER_HZ = 100). */
const TICK_NS = 10_000_000;

/** `/proc/<pid>/task/<tid>/schedstat`: time on a CPU and time waiting for one, in nanoseconds. */
export function parseSchedstat(text: string): { cpuNs: number; waitNs: number } | undefined {
  const match = /^(\d+) (\d+) \d+/.exec(text);
  return match === null ? undefined : { cpuNs: Number(match[1]), waitNs: Number(match[2]) };
}

/** Fields of `/proc/<pid>/stat` behind the command's name, which may hold spaces and brackets: the third is the first. */
export const statFields = (text: string): string[] => text.slice(text.lastIndexOf(")") + 2).split(" ");

/** User and system time of `/proc/<pid>/stat`, all threads, in nanoseconds of tick resolution. */
export function parseStatTimes(text: string): number | undefined {
  const stat = parseStat(text);
  return stat && stat.userNs + stat.systemNs;
}

/** Name, user and system time in nanoseconds, and page faults, of `/proc/<pid>/stat` or that of a thread. */
export function parseStat(text: string) {
  const [begin, end] = [text.indexOf("("), text.lastIndexOf(")")], fields = statFields(text);
  const [minorFaults, majorFaults, user, system] = [7, 9, 11, 12].map((at) => Number(fields[at]));
  if (begin < 0 || !Number.isFinite(minorFaults! + majorFaults! + user! + system!)) return undefined;
  const [userNs, systemNs] = [user! * TICK_NS, system! * TICK_NS];
  return { name: text.slice(begin + 1, end), userNs, systemNs, minorFaults: minorFaults!, majorFaults: majorFaults! };
}

/** User and system time of the children a process has waited for, of `/proc/<pid>/stat`, as {@link parseStatTimes}. */
export function parseEndedChildrenTimes(text: string): number | undefined {
  const [user, system] = statFields(text).slice(13, 15).map(Number) as [number, number];
  return Number.isFinite(user + system) ? (user + system) * TICK_NS : undefined;
}

/** The CPU a process ran on last, of `/proc/<pid>/stat`. */
export function parseLastCpu(text: string): number | undefined {
  const cpu = statFields(text)[36];
  return cpu !== undefined && /^\d+$/.test(cpu) ? Number(cpu) : undefined;
}

/** One `Name: value` field of `/proc/<pid>/status`. */
export function parseStatusField(text: string, name: string): string | undefined {
  return new RegExp(`^${name}:\\s*(.*)$`, "m").exec(text)?.[1]?.trim();
}

/** Times of a CPU so far, in nanoseconds. */
interface CpuTimes {
  /** User, nice, system and both kinds of interrupts: as often as the kernel's clock met them. */
  readonly busyNs: number;
  /** Idle and waiting for disks. The kernel measures these from begin to end where idling CPUs need no clock (NO_HZ). */
  readonly idleNs: number;
  /** The part of it in which a process that last ran there waited for a disk. */
  readonly diskNs: number;
  readonly stealNs: number;
  readonly softirqNs: number;
}

/** `/proc/stat`: the times of each CPU. */
export function parseCpuTimes(text: string): Map<number, CpuTimes> | undefined {
  const cpus = new Map<number, CpuTimes>();
  for (const [, id, rest] of text.matchAll(/^cpu(\d+) (.+)$/gm)) {
    const [user, nice, system, idle, waiting, irq, softirq, steal] = rest!.split(" ").map(Number);
    if (steal === undefined) return undefined;
    cpus.set(Number(id), {
      busyNs: (user! + nice! + system! + irq! + softirq!) * TICK_NS,
      idleNs: (idle! + waiting!) * TICK_NS,
      diskNs: waiting! * TICK_NS,
      stealNs: steal * TICK_NS,
      softirqNs: softirq! * TICK_NS,
    });
  }
  return cpus.size === 0 ? undefined : cpus;
}

/** A counter of `/proc/net/snmp` or `/proc/net/netstat`: a line of names, then a line of values, each led by a group. */
export function parseNetCounter(text: string, group: string, name: string): number | undefined {
  const lines = text.split("\n").filter((line) => line.startsWith(`${group}: `));
  const at = lines[0]?.split(" ").indexOf(name) ?? -1;
  const value = at < 0 ? undefined : lines[1]?.split(" ")[at];
  return value === undefined ? undefined : Number(value);
}

/** A `name value` line, as in `/proc/vmstat` and a cgroup's `cpu.stat`. */
export function parseNamedValue(text: string, name: string): number | undefined {
  const match = new RegExp(`^${name} (\\d+)$`, "m").exec(text);
  return match === null ? undefined : Number(match[1]);
}

/** Bytes an interface has received so far, of `/proc/net/dev`. */
export function parseInterfaceBytes(text: string, name: string): number | undefined {
  const bytes = new RegExp(`^\\s*${name}:\\s*(\\d+)`, "m").exec(text)?.[1];
  return bytes === undefined ? undefined : Number(bytes);
}

/** Bytes each interface has received and sent so far, of `/proc/net/dev`. */
export function parseInterfaces(text: string): Record<string, { received: number; sent: number }> | undefined {
  const lines = [...text.matchAll(/^\s*(\S+?):\s*(\d+(?:\s+\d+){15})/gm)];
  const found = lines.map(([, name, values]) => {
    const fields = values!.split(/\s+/).map(Number);
    return [name!, { received: fields[0]!, sent: fields[8]! }] as const;
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}
