/**
 * A Redis, or Valkey, of its own that keeps nothing on disk: `--keys N --value-bytes N` fills it with `key:0` and so on, each
 * value its key and a colon over and over, as the null Redis answers.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { delimiter, join } from "node:path";
import { parseArgs } from "node:util";
import { freePort, HOST, run, say, scratchFolder } from "./service.ts";

const INSTALL = "apt-get install redis-server, brew install redis, nix shell nixpkgs#redis";
/** Told with results, as the server itself says them. */
const TOLD = ["maxclients", "appendonly", "save", "io-threads"];
/** Keys set by one write. */
const BATCH = 1_000;

const { values } = parseArgs({
  options: { keys: { type: "string", default: "0" }, "value-bytes": { type: "string", default: "100" } },
});

const file = ["valkey-server", "redis-server"].flatMap((name) =>
  (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, name))
).find(existsSync);

/** Commands as they are sent. */
const sent = (commands: readonly (readonly string[])[]) =>
  commands.map((words) => `*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join("")}`).join(
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

/** The value of a key. */
const valueOf = (key: string) =>
  `${key}:`.repeat(Math.ceil(Number(values["value-bytes"]) / (key.length + 1)))
    .slice(0, Number(values["value-bytes"]));

if (file === undefined) say({ event: "unsupported", message: `Redis is not installed; try: ${INSTALL}` });
else {
  const folder = scratchFolder("redis", null);
  const port = await freePort();
  await run({
    file,
    args: ["--port", String(port), "--bind", HOST, "--save", "", "--appendonly", "no", "--dir", folder],
    folder,
    owner: null,
    ready: "Ready to accept connections",
  });
  for (let from = 0; from < Number(values.keys); from += BATCH) {
    const keys = Array.from({ length: Math.min(BATCH, Number(values.keys) - from) }, (_, n) => `key:${from + n}`);
    const told = await ask(port, keys.map((key) => ["SET", key, valueOf(key)]));
    if (told.includes("-")) throw new Error(`it refused to be filled: ${told.slice(0, 80)}`);
  }
  const version = /v=(\S+)/.exec(execFileSync(file, ["--version"], { encoding: "utf8" }))?.[1] ?? "unknown";
  const told = await ask(port, TOLD.map((name) => ["CONFIG", "GET", name]));
  const settings = told.split(/\r\n/).filter((line) => !/^[*$+]/.test(line));
  const facts = Object.fromEntries(TOLD.map((name) => [name, settings[settings.indexOf(name) + 1] ?? "unknown"]));
  say({ event: "ready", port, version, facts });
}
