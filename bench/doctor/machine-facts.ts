import type { Reading } from "../record/samples.ts";
import { darwinMachine, parseSysctl } from "../machine/darwin.ts";
import { linuxMachine } from "../machine/linux.ts";
import { type OutputOf, outputOf as askSystem } from "../machine/programs.ts";
import { attempt, fileTree } from "../machine/readings.ts";
import { thisMachine } from "../machine/this-machine.ts";
import { CANARY_ROW } from "./canary.ts";
import { CPU_ROWS, SPEED_ROWS } from "./cpus.ts";
import { LOAD_ROWS } from "./load.ts";
import { PLACE_ROWS } from "./place.ts";
import type { Around, Linux, Mac, Row } from "./row.ts";

/** Every fact of a machine by its code, in the order shown. */
export const ROWS = { ...PLACE_ROWS, ...CPU_ROWS, ...SPEED_ROWS, ...CANARY_ROW, ...LOAD_ROWS };

type Rows = typeof ROWS;

/** Facts of a machine that can be read without waiting, by row; each has a value or why it could not be read. */
export type MachineFacts =
  & Around
  & {
    readonly [Code in keyof Rows as Rows[Code] extends { linux: unknown } ? Code : never]: Rows[Code] extends
      Row<infer T> ? Reading<T> : never;
  };

/** Reads all facts at once: some ms on Linux, from files alone. Throws on other systems than Linux and macOS. */
export function machineFacts(): MachineFacts {
  return thisMachine().os === "linux" ? linuxFacts() : darwinFacts();
}

/** Reads the facts of Linux from /proc and /sys below `root`. */
export function linuxFacts(root = "/", env: Linux["env"] = process.env): MachineFacts {
  const topology = linuxMachine(root).topology();
  const from: Linux = { files: fileTree(root), allowed: topology.cpus?.map(({ id }) => id) ?? [], env };
  return factsBy("linux", topology, ({ linux }) => attempt(null, () => linux(from)));
}

/** Reads the facts of macOS from programs that any user may run. */
export function darwinFacts(ask: OutputOf = askSystem): MachineFacts {
  const setting = (name: string) => {
    const found = parseSysctl(ask("sysctl", [name])).get(name);
    if (found === undefined) throw new Error(`sysctl ${name} is not there`);
    return found;
  };
  const from: Mac = { ask, setting };
  return factsBy(
    "darwin",
    darwinMachine(ask).topology(),
    ({ darwin }) => typeof darwin === "string" ? { unreadable: darwin } : attempt(null, () => darwin(from)),
  );
}

function factsBy(
  os: Around["os"],
  topology: Around["topology"],
  read: (row: Row<unknown>) => Reading<unknown>,
): MachineFacts {
  const readings = Object.entries(ROWS).flatMap(([code, row]) =>
    "linux" in row ? [[code, read(row as Row<unknown>)]] : []
  );
  return { os, root: process.getuid?.() === 0, topology, ...Object.fromEntries(readings) };
}
