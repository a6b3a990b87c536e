import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "../bench/machine/programs.ts";

const DEBIAN = "/usr/lib/postgresql";

/** Whether a real service can be started here: Linux, and its programs on PATH or where Debian puts them. */
export function isServiceHere(name: "postgres" | "redis"): boolean {
  if (!existsSync("/proc/self/environ")) return false;
  if (name === "redis") return ["valkey-server", "redis-server"].some((program) => findProgram(program) !== undefined);
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  return findProgram("initdb") !== undefined ||
    versions.some((version) => existsSync(join(DEBIAN, version, "bin", "initdb")));
}
