/**
 * A PostgreSQL of its own, with tables read from files: `--table world=FILE`, as often as there are. A file has COPY's text
 * format below a first line that has `name type` for each column; the first column is its key.
 *
 * Apps come as the user `postgres`, by a password that is another each time. It owns the database `postgres` and is no
 * superuser. That is `levelfield`, which comes by a socket in a folder that nobody else may enter.
 */
import { execFileSync, spawn } from "node:child_process";
import { chownSync, createReadStream, existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { isIPv6 } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { CLIENTS, firstLineOf, FOLDER, freePort, HOST, look, newPassword, run, say, type User } from "./service.ts";

const INSTALL = "apt-get install postgresql, brew install postgresql, nix shell nixpkgs#postgresql";
/** Where packages put programs that are not on PATH; `*` is a version. */
const FOLDERS = ["/usr/lib/postgresql/*/bin", "/opt/homebrew/opt/postgresql@*/bin", "/usr/local/opt/postgresql@*/bin"];
/** Reported with results, as the server itself says them. */
const REPORTED = ["shared_buffers", "fsync", "synchronous_commit", "max_connections", "ssl", "jit"];

/** The folder of the newest PostgreSQL here. */
function programs(): string | undefined {
  const onPath = (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, "initdb")).find(existsSync);
  if (onPath !== undefined) return dirname(realpathSync(onPath));
  const versions = FOLDERS.flatMap((pattern) => {
    const [before, after] = pattern.split("*") as [string, string];
    const root = dirname(`${before}x`);
    return existsSync(root) ? readdirSync(root).map((name) => join(root, name, after)) : [];
  });
  return versions.filter((folder) => existsSync(join(folder, "initdb")))
    .toSorted((a, b) => Number(/\d+/.exec(b)?.[0]) - Number(/\d+/.exec(a)?.[0]))[0];
}

/** It refuses to run as root: then it is the user its package has made. Undefined where there is none. */
function ownerHere(): User | null | undefined {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8", stdio: "pipe" }));
  try {
    return { uid: id("-u"), gid: id("-g") };
  } catch {
    return undefined;
  }
}

const SUPERUSER = "levelfield";

/** Who is let in, by which way (pg_hba.conf): the first line that fits decides, and others are refused. */
const admission = () =>
  [
    `local all ${SUPERUSER} trust`,
    ...["samehost", ...CLIENTS.map((client) => `${client}/${isIPv6(client) ? 128 : 32}`)]
      .map((from) => `host all postgres ${from} scram-sha-256`),
    "local all postgres scram-sha-256",
  ].map((line) => `${line}\n`).join("");

/** SQL that makes the apps' user. Were it to fail, the server would log it, and what it logs is kept: so it logs none of it. */
const userSql = (password: string) =>
  `SET log_min_error_statement = panic; SET password_encryption = 'scram-sha-256';
   CREATE ROLE postgres LOGIN PASSWORD '${password}'; ALTER DATABASE postgres OWNER TO postgres;`;

/** SQL that makes a table and fills it, a piece of its file at a time. */
async function* tableSql(name: string, file: string): AsyncGenerator<string | Uint8Array> {
  const first = firstLineOf(file);
  const columns = first.split("\t").map((column) => column.replace(/^\S+/, '"$&"'));
  const key = columns[0]!.split(" ")[0];
  yield `SET ROLE postgres;\nCREATE TABLE ${name} (${
    columns.join(", ")
  }, PRIMARY KEY (${key}));\nCOPY ${name} FROM STDIN;\n`;
  yield* createReadStream(file, { start: Buffer.byteLength(first) + 1 });
  yield "\\.\n";
}

const { values } = parseArgs({
  options: { table: { type: "string", multiple: true, default: [] }, look: { type: "boolean" } },
});
const folder = programs();
const owner = ownerHere();
if (folder === undefined) say({ event: "unsupported", message: "PostgreSQL is not installed", install: INSTALL });
else if (owner === undefined) {
  say({ event: "unsupported", message: "PostgreSQL does not run as root, and there is no user postgres" });
} else if (values.look) look(join(folder, "postgres"));
else {
  const scratch = join(FOLDER, "pg"), data = join(scratch, "data"), port = await freePort();
  mkdirSync(scratch, { mode: 0o700 });
  if (owner !== null) chownSync(scratch, owner.uid, owner.gid);
  const options = { ...owner, cwd: scratch, encoding: "utf8", stdio: "pipe" } as const;
  const init = ["-D", data, "-U", SUPERUSER, "-A", "reject", "-E", "UTF8", "--locale=C", "--no-sync"];
  execFileSync(join(folder, "initdb"), init, options);
  // In a folder that is not PostgreSQL's: root writes nothing where another user could have put a link.
  const admissionFile = join(FOLDER, "pg_hba.conf");
  writeFileSync(admissionFile, admission(), { flag: "wx", mode: 0o644 });
  const settings = [
    `hba_file=${admissionFile}`,
    ...[`listen_addresses=${HOST}`, `unix_socket_directories=${scratch}`, "unix_socket_permissions=0700"],
    // All connections are for apps.
    ...["superuser_reserved_connections=0", "shared_buffers=256MB"],
  ];
  await run({
    file: join(folder, "postgres"),
    args: ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])],
    folder: scratch,
    owner,
    ready: "ready to accept connections",
  });
  const login = ["-h", scratch, "-p", String(port), "-U", SUPERUSER, "-d", "postgres", "-v", "ON_ERROR_STOP=1", "-qAt"];
  const psql = (input: string) => execFileSync(join(folder, "psql"), login, { ...options, input }).trim();
  const password = newPassword();
  psql(userSql(password));
  for (const table of values.table) {
    const [name, file] = table.split("=") as [string, string];
    const child = spawn(join(folder, "psql"), login, { ...owner, cwd: scratch, stdio: ["pipe", "ignore", "pipe"] });
    const ended = new Promise((resolve) => child.once("close", resolve));
    const [said] = await Promise.all([text(child.stderr), pipeline(tableSql(name, file), child.stdin).catch(() => {})]);
    if (await ended !== 0) throw new Error(`table ${name}: ${said.trim()}`);
  }
  if (values.table.length > 0) psql("VACUUM ANALYZE; CHECKPOINT;");
  const shown = psql(["server_version", ...REPORTED].map((name) => `SHOW ${name};`).join("\n")).split("\n");
  const version = shown[0]!.split(" ")[0]!;
  const facts = Object.fromEntries(REPORTED.map((name, n) => [name, shown[n + 1]!]));
  say({ event: "ready", port, version, facts, env: { PGPASSWORD: password } });
}
