/**
 * Preloaded with `--import`: notes in the file LEVELFIELD_WATCHED each process that is started, each connection, each module
 * from outside this project, and each file below LEVELFIELD_BAIT that is opened, by whatever path.
 */
import child_process from "node:child_process";
import fs from "node:fs";
import { createRequire, registerHooks, syncBuiltinESMExports } from "node:module";
import { Socket } from "node:net";
import { fileURLToPath, pathToFileURL } from "node:url";

const log = process.env["LEVELFIELD_WATCHED"]!;
const bait = process.env["LEVELFIELD_BAIT"]!;
const project = new URL("../../", import.meta.url).href;
const { appendFileSync, realpathSync } = fs;
const note = (line: string) => appendFileSync(log, `${line.replaceAll("\n", " ")}\n`);

type Any = (...args: unknown[]) => unknown;

/** Calls `look` with the first argument of a function before each call of it. */
function before(owner: object, names: readonly string[], look: (first: unknown, name: string) => void): void {
  for (const name of names) {
    const own = (owner as Record<string, Any>)[name]!;
    (owner as Record<string, Any>)[name] = function (this: unknown, ...args) {
      look(args[0], name);
      return own.apply(this, args);
    };
  }
}

before(
  child_process,
  ["spawn", "spawnSync", "exec", "execSync", "execFile", "execFileSync", "fork"],
  (first, name) => note(`${name} ${first}`),
);
before(Socket.prototype, ["connect"], (first) => note(`connect ${JSON.stringify(first)}`));
before(
  fs,
  ["openSync", "readFileSync", "open", "readFile", "createReadStream", "readdirSync", "opendirSync", "openAsBlob"],
  (first, name) => {
    if (typeof first !== "string" && !(first instanceof URL)) return;
    let real = "";
    try {
      real = realpathSync(typeof first === "string" ? first : fileURLToPath(first));
    } catch {
      // What is not there is not read.
    }
    if (real.startsWith(bait)) note(`${name} ${first}`);
  },
);
syncBuiltinESMExports();

// Packages may be linked to where they are.
const packages = pathToFileURL(realpathSync(createRequire(import.meta.url).resolve("zod/package.json"))).href
  .split("zod/")[0]!;
registerHooks({
  load(url, context, next) {
    if (!url.startsWith("node:") && !url.startsWith(project) && !url.startsWith(packages)) note(`import ${url}`);
    return next(url, context);
  },
});
