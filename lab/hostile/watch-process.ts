/**
 * Preloaded with `--import`: notes in the file LEVELFIELD_WATCHED each process that is started, each connection, each module
 * from outside this project, and each file below LEVELFIELD_BAIT that is opened, by whatever path.
 */
import child_process from "node:child_process";
import fs from "node:fs";
import { createRequire, registerHooks, syncBuiltinESMExports } from "node:module";
import { Socket } from "node:net";
import { basename } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const log = process.env["LEVELFIELD_WATCHED"]!;
const bait = process.env["LEVELFIELD_BAIT"]!;
const project = new URL("../../", import.meta.url).href;
const { appendFileSync, realpathSync } = fs;
const note = (line: string) => appendFileSync(log, `${line.replaceAll("\n", " ")}\n`);

type Any = (...args: unknown[]) => unknown;

/** Calls `look` with the first two arguments of a function before each call of it. */
function before(
  owner: object,
  names: readonly string[],
  look: (first: unknown, name: string, second: unknown) => void,
): void {
  for (const name of names) {
    const original = (owner as Record<string, Any>)[name]!;
    (owner as Record<string, Any>)[name] = function (this: unknown, ...args) {
      look(args[0], name, args[1]);
      return original.apply(this, args);
    };
  }
}

before(
  child_process,
  ["spawn", "spawnSync", "exec", "execSync", "execFile", "execFileSync", "fork"],
  (first, name, more) => note(`${name} ${first}${Array.isArray(more) ? ` ${more.join(" ")}` : ""}`),
);
before(Socket.prototype, ["connect"], (first) => note(`connect ${JSON.stringify(first)}`));
/** Notes what is done to a bait: what lies in the folder of baits, or is called so. */
function ofBait(first: unknown, name: string): void {
  if (typeof first !== "string" && !(first instanceof URL)) return;
  let real = "";
  try {
    real = realpathSync(typeof first === "string" ? first : fileURLToPath(first));
  } catch {
    // A missing file is not read.
  }
  if (real.startsWith(bait) || basename(real).startsWith("bait")) note(`${name} ${first}`);
}

const READS = ["open", "readFile", "writeFile", "appendFile", "copyFile", "cp", "truncate", "rename"] as const;
before(fs, [...READS, ...READS.map((name) => `${name}Sync`), "createReadStream"], ofBait);
before(fs, ["readdirSync", "opendirSync", "openAsBlob"], ofBait);
before(fs.promises, READS, ofBait);
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
