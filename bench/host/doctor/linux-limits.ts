import type { MachineFacts } from "../../core/doctor/facts.ts";
import { attempt } from "./attempt.ts";
import type { Files } from "./files.ts";

/** The soft limit of open files in /proc/self/limits. */
export function parseOpenFiles(text: string): number | undefined {
  const soft = /^Max open files\s+(\d+|unlimited)/m.exec(text)?.[1];
  return soft === undefined ? undefined : soft === "unlimited" ? Infinity : Number(soft);
}

/** What Linux grants connections and files. */
export function linuxLimits(
  files: Files,
): Pick<MachineFacts, "ports" | "timeWait" | "listenBacklog" | "openFiles" | "hardwareCounters"> {
  return {
    ports: attempt("ip_local_port_range", () => {
      const match = /^(\d+)\s+(\d+)$/.exec(files.text("proc/sys/net/ipv4/ip_local_port_range"));
      return match === null ? undefined : { first: Number(match[1]), last: Number(match[2]) };
    }),
    timeWait: attempt("/proc/net/sockstat", () => {
      const count = /^TCP:.*\btw (\d+)/m.exec(files.text("proc/net/sockstat"))?.[1];
      return count === undefined ? undefined : Number(count);
    }),
    listenBacklog: attempt("somaxconn", () => files.count("proc/sys/net/core/somaxconn")),
    openFiles: attempt("/proc/self/limits", () => parseOpenFiles(files.text("proc/self/limits"))),
    hardwareCounters: attempt(
      "the list of event sources",
      () => files.list("sys/bus/event_source/devices").some((name) => /^(cpu|cpu_\w+|armv\d.*)$/.test(name)),
    ),
  };
}
