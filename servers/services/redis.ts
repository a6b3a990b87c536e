/**
 * A Redis, or Valkey, of its own that keeps nothing on disk: `--keys N --value-bytes N` fills it with `key:0` and so on, each
 * value its key and a colon over and over, as the null Redis answers; `--pairs FILE` with a key, a tab and its value a line.
 *
 * Apps come by a password that is another each time, and may use no command that Redis calls dangerous or an administrator's,
 * but INFO. A separate user fills it.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { connect } from "node:net";
import { delimiter, join } from "node:path";
import { parseArgs } from "node:util";
import { redisValue } from "../null/rows.ts";
import { FOLDER, freePort, HOST, look, newPassword, run, say } from "./service.ts";

const INSTALL = "apt-get install redis-server, brew install redis, nix shell nixpkgs#redis";
/** Reported with results, as the server itself says them. */
const REPORTED = ["maxclients", "appendonly", "save", "io-threads"];
/** Keys set by one write. */
const BATCH = 1_000;

const { values } = parseArgs({
  options: {
    keys: { type: "string", default: "0" },
    "value-bytes": { type: "string", default: "100" },
    pairs: { type: "string" },
    look: { type: "boolean" },
  },
});

const file = ["valkey-server", "redis-server"].flatMap((name) =>
  (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, name))
).find(existsSync);

/** Commands as they are sent. */
const sent = (commands: readonly (readonly string[])[]) =>
  commands.map((words) =>
    `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join("")}`
  ).join(
    "",
  );

/** The user that fills it, and its password. */
const USER = "levelfield", secret = newPassword();

/** Sends commands over a new connection and gives all it answers, once it has closed. */
function ask(port: number, commands: readonly (readonly string[])[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    connect(port, HOST).setEncoding("utf8").on("data", (part) => text += part).on("error", reject)
      .on("close", () => resolve(text)).write(sent([["AUTH", USER, secret], ...commands, ["QUIT"]]));
  });
}

/** Its settings, read on stdin. Passwords are hashes there: it tells lines that it does not understand. */
function settingsOf(version: readonly number[], port: number, password: string): string {
  const hash = (text: string) => `#${createHash("sha256").update(text).digest("hex")}`;
  // Rights on channels exist since 6.2.
  const all = `~* ${version[0]! > 6 || version[1]! > 1 ? "&* " : ""}+@all`;
  return [
    ...[`port ${port}`, `bind ${HOST}`, 'save ""', "appendonly no", `dir "${FOLDER}"`],
    `user ${USER} on ${hash(secret)} ${all}`,
    `user default on ${hash(password)} ${all} -@admin -@dangerous +info`,
  ].map((line) => `${line}\n`).join("");
}

/** The version of a server that runs such a file. */
const versionIn = (file: string) =>
  /v=(\S+)/.exec(execFileSync(file, ["--version"], { encoding: "utf8" }))?.[1] ?? "unknown";

/** The pairs that it is filled with. */
async function* pairs(): AsyncGenerator<readonly [string, string]> {
  for (let n = 0; n < Number(values.keys); n++) {
    yield [`key:${n}`, redisValue(`key:${n}`, Number(values["value-bytes"]))!];
  }
  if (values.pairs === undefined) return;
  let kept = "";
  for await (const part of createReadStream(values.pairs, "utf8")) {
    const lines = (kept + part).split("\n");
    kept = lines.pop()!;
    for (const line of lines) yield [line.slice(0, line.indexOf("\t")), line.slice(line.indexOf("\t") + 1)];
  }
}

async function fill(port: number): Promise<void> {
  let batch: (readonly string[])[] = [];
  const set = async () => {
    const answer = await ask(port, batch);
    if (answer.replaceAll("+OK\r\n", "") !== "") throw new Error(`it refused to be filled: ${answer.slice(0, 80)}`);
    batch = [];
  };
  for await (const pair of pairs()) if (batch.push(["SET", ...pair]) === BATCH) await set();
  await set();
}

if (file === undefined) say({ event: "unsupported", message: "Redis is not installed", install: INSTALL });
else if (values.look) look(file);
else {
  const version = versionIn(file), numbers = version.split(".").map(Number);
  // Earlier ones know no users.
  if (!(numbers[0]! >= 6)) {
    say({ event: "unsupported", message: `Redis ${version} is too old, 6.0 is needed`, install: INSTALL });
  } else await serve(file, version, numbers);
}

async function serve(file: string, version: string, numbers: readonly number[]): Promise<void> {
  const port = await freePort(), password = newPassword();
  const input = settingsOf(numbers, port, password);
  await run({ file, args: ["-"], folder: FOLDER, owner: null, input, ready: "Ready to accept connections" });
  await fill(port);
  const answer = await ask(port, REPORTED.map((name) => ["CONFIG", "GET", name]));
  const settings = answer.split(/\r\n/).filter((line) => !/^[*$+]/.test(line));
  const facts = Object.fromEntries(REPORTED.map((name) => [name, settings[settings.indexOf(name) + 1] ?? "unknown"]));
  say({ event: "ready", port, version, facts, env: { REDIS_PASSWORD: password } });
}
