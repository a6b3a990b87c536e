import { numberIn } from "../machine/readings.ts";
import { wholeNumber } from "./cpus.ts";
import { DOCTOR_LIMITS } from "./doctor-limits.ts";
import { asRoot, blocks, costs, noneHere, ok, row, unknown } from "./row.ts";

/** Rows on limits of connections and files: ports, backlog, open files. */
export const GRANTS = {
  ports: row("Free ports", "connections fail when no port is left", {
    linux({ files }) {
      const match = /^(\d+)\s+(\d+)$/.exec(files.line("proc/sys/net/ipv4/ip_local_port_range"));
      const held = numberIn(files.lineOr("proc/net/sockstat"), /^TCP:.*\btw (\d+)/m) ?? null;
      return match === null ? undefined : { first: Number(match[1]), last: Number(match[2]), held };
    },
    darwin({ ask, setting }) {
      const [first, last] = ["first", "last"].map((end) => wholeNumber(setting(`net.inet.ip.portrange.${end}`)));
      const held = ask("netstat", ["-an", "-p", "tcp"]).match(/\bTIME_WAIT\b/g)?.length ?? 0;
      return first === undefined || last === undefined ? undefined : { first, last, held };
    },
    judge({ first, last, held }, around) {
      const count = last - first + 1;
      const seen = `${count} (${first} to ${last}), ${held ?? "an unknown number of"} in TIME_WAIT`;
      const free = count - (held ?? 0);
      const wider = around.os === "darwin"
        ? "net.inet.ip.portrange.first=32768"
        : `net.ipv4.ip_local_port_range="32768 60999"`;
      const mend = count < DOCTOR_LIMITS.portsCost ? asRoot(around, `sysctl ${wider}`) : "sleep 60 && bin/bench doctor";
      if (free < DOCTOR_LIMITS.portsBlock) return blocks(seen, mend);
      if (free < DOCTOR_LIMITS.portsCost) return costs(seen, mend);
      return held === null ? unknown(seen, noneHere(around)) : ok(seen);
    },
  }),
  backlog: row("Listen backlog", "connections opened in one burst are dropped and come a second late", {
    linux: ({ files }) => files.count("proc/sys/net/core/somaxconn"),
    darwin: ({ setting }) => wholeNumber(setting("kern.ipc.somaxconn")),
    judge(most, around) {
      if (most >= DOCTOR_LIMITS.listenBacklog) return ok(`up to ${most}`);
      const name = around.os === "darwin" ? "kern.ipc.somaxconn" : "net.core.somaxconn";
      return costs(`up to ${most}`, asRoot(around, `sysctl ${name}=4096`));
    },
  }),
  "open-files": row("Open files", "connections fail when no file descriptor is left", {
    linux: ({ files }) => filesIn(/^Max open files\s+(\d+|unlimited)/m.exec(files.line("proc/self/limits"))?.[1]),
    darwin: ({ ask }) => filesIn(ask("sh", ["-c", "ulimit -n"]).trim()),
    judge(most) {
      const seen = most === Infinity ? "no limit" : `up to ${most} a process`;
      if (most < DOCTOR_LIMITS.filesBlock) return blocks(seen, "ulimit -n 4096");
      return most < DOCTOR_LIMITS.filesCost ? costs(seen, "ulimit -n 4096") : ok(seen);
    },
  }),
};

/** Returns the number of files a process may open; Infinity without a limit. */
const filesIn = (text = "") => text === "unlimited" ? Infinity : wholeNumber(text);
