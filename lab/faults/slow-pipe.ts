/**
 * A slow way to an agent: runs the command it is given, and hands on what goes either way so many milliseconds late.
 *
 * slow-pipe.ts MILLISECONDS COMMAND…
 */
import { spawn } from "node:child_process";

const [delay, file, ...args] = process.argv.slice(2);
const child = spawn(file!, args, { stdio: ["pipe", "pipe", "inherit"] });
const late = (act: () => void) => void setTimeout(act, Number(delay));
process.stdin.on("data", (data) => late(() => child.stdin.write(data)));
process.stdin.on("end", () => late(() => child.stdin.end()));
child.stdin.on("error", () => {});
child.stdout.on("data", (data) => late(() => process.stdout.write(data)));
child.on("exit", (code) => process.exitCode = code ?? 1);
