import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CommandServer } from "../suite.ts";
import { QUOTE } from "./texts.ts";

const PROGRAM = "python3";
const SCRIPT = fileURLToPath(new URL("./python-server.py", import.meta.url));

/** True if the program is on PATH. */
export function hasPython(path: string = process.env["PATH"] ?? ""): boolean {
  return path.split(delimiter).some((folder) => folder !== "" && existsSync(join(folder, PROGRAM)));
}

let version: string | undefined;

/** How the server in Python is started. */
export function pythonServer(keys: number): CommandServer {
  version ??= execFileSync(PROGRAM, ["--version"], { encoding: "utf8" }).trim().replace(/^Python /, "");
  return {
    kind: "command",
    command: [PROGRAM, SCRIPT, "{port}", String(keys), QUOTE],
    ready: "/",
    stop: "stdin",
    identity: { program: PROGRAM, version, server: "asyncio" },
  };
}
