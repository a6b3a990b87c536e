/**
 * A Redis, or Valkey, of its own that keeps nothing on disk: `--keys N --value-bytes N` fills it with `key:0` and so on, each
 * value its key and a colon over and over, as the null Redis answers; `--pairs FILE` with a key, a tab and its value a line.
 */
import { execFileSync } from "node:child_process";
import { createReadStream, existsSync } from "node:fs";
import { connect } from "node:net";
import { delimiter, join } from "node:path";
import { parseArgs } from "node:util";
import { redisValue } from "../null/rows.ts";
import { CLIENTS, freePort, HOST, look, run, say, scratchFolder } from "./service.ts";

const INSTALL = "apt-get install redis-server, brew install redis, nix shell nixpkgs#redis";
/** Told with results, as the server itself says them. */
const TOLD = ["maxclients", "appendonly", "save", "io-threads"];
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

/** Sends commands over a connection of their own and gives all it answers, once it has closed. */
function ask(port: number, commands: readonly (readonly string[])[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    connect(port, HOST).setEncoding("utf8").on("data", (part) => text += part).on("error", reject)
      .on("close", () => resolve(text)).write(sent([...commands, ["QUIT"]]));
  });
}

/** What it is filled with. */
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
    const told = await ask(port, batch);
    if (told.replaceAll("+OK\r\n", "") !== "") throw new Error(`it refused to be filled: ${told.slice(0, 80)}`);
    batch = [];
  };
  for await (const pair of pairs()) if (batch.push(["SET", ...pair]) === BATCH) await set();
  await set();
}

if (file === undefined) say({ event: "unsupported", message: `Redis is not installed; try: ${INSTALL}` });
else if (values.look) look(file);
else {
  const folder = scratchFolder("redis", null);
  const port = await freePort();
  const open = CLIENTS.length === 0 ? [] : ["--protected-mode", "no"];
  await run({
    file,
    args: ["--port", String(port), "--bind", HOST, "--save", "", "--appendonly", "no", "--dir", folder, ...open],
    folder,
    owner: null,
    ready: "Ready to accept connections",
  });
  await fill(port);
  const version = /v=(\S+)/.exec(execFileSync(file, ["--version"], { encoding: "utf8" }))?.[1] ?? "unknown";
  const told = await ask(port, TOLD.map((name) => ["CONFIG", "GET", name]));
  const settings = told.split(/\r\n/).filter((line) => !/^[*$+]/.test(line));
  const facts = Object.fromEntries(TOLD.map((name) => [name, settings[settings.indexOf(name) + 1] ?? "unknown"]));
  say({ event: "ready", port, version, facts });
}
