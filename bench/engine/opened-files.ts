import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { orElse, usageError } from "../basics/errors.ts";
import { shellQuoted } from "../basics/shell.ts";
import { sendOnce } from "../apps/send-once.ts";
import { serverSpecOf } from "../apps/user-suite.ts";
import { placesOf, tryToStart } from "../apps/try-to-start.ts";
import { findProgram } from "../machine/programs.ts";
import { addressOf } from "../observe/running.ts";
import type { Hosts } from "../observe/sample-load.ts";
import { temporaryFolder } from "../process/scratch-folder.ts";
import { OWN } from "../record/cell.ts";
import type { CommandServer } from "../../suites/suite.ts";
import type { UserServer, UserSpec } from "../record/user-spec.ts";
import { type RuntimeBinary, SCRIPT_ARGS } from "../runtimes/runtimes.ts";
import { type ForeignFile, foreignFile } from "../sources/foreign-files.ts";
import { BASE, YOURS } from "../result/judge-gate.ts";
import { refuseMade, type Trees } from "./revisions.ts";

/** Options of strace that follow all processes of a server and print the true path of each file that opens. */
const FOLLOWED = ["-D", "-f", "-qq", "-y", "--seccomp-bpf", "-e", "trace=open,openat,openat2"];

/**
 * Starts a server once under strace, sends each request once, and returns the true paths of the files that its processes
 * opened.
 *
 * @returns a reason in words where the server could not be followed
 */
async function openedFiles(
  server: UserServer,
  spec: UserSpec,
  { hosts, runtimes }: { readonly hosts: Hosts; readonly runtimes: readonly RuntimeBinary[] },
): Promise<ReadonlySet<string> | { readonly unknown: string }> {
  const strace = findProgram("strace");
  if (strace === undefined) return { unknown: "strace is not installed" };
  if (hosts.server.command !== null) return { unknown: "the servers run on another machine" };
  const folder = temporaryFolder("trace-");
  const output = join(folder, "opened");
  try {
    const [place] = placesOf({ ...spec, servers: [server] }, runtimes);
    const words = [strace, ...FOLLOWED, "-o", output];
    const wrapped = place!.runtime === null || !isProgram(server)
      ? server.kind === "command" ? { ...server, command: [...words, ...server.command] } : server
      : asCommand(server, spec, { runtime: place!.runtime, words });
    const runtime = place!.runtime && { ...place!.runtime, file: wrapper(folder, [...words, place!.runtime.file]) };
    const started = await tryToStart(spec, { server: wrapped, runtime }, process.cwd(), hosts);
    if ("why" in started) return { unknown: `under strace it ${started.why}` };
    try {
      const at = addressOf({ server: started.process }, { hosts });
      // A reply that fails is judged elsewhere; what was opened for it counts.
      for (const sample of spec.samples) await sendOnce(sample, at).catch(() => {});
    } finally {
      await hosts.server.stop(started.process);
    }
    const text = orElse(() => readFileSync(output, "utf8"), "");
    if (text === "") return { unknown: "strace wrote nothing" };
    return new Set([...openedIn(text)].filter((path) => orElse(() => statSync(path).isFile(), false)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type App = Extract<UserServer, { readonly kind: "app" }>;

const isProgram = (server: UserServer): server is App => server.kind === "app" && server.listens !== undefined;

/** A program on a runtime as a command with other words before it: what listens is looked at by its binary's name. */
function asCommand(
  server: App,
  spec: UserSpec,
  { runtime, words }: { readonly runtime: RuntimeBinary; readonly words: readonly string[] },
): UserServer {
  const { name, home } = server;
  const point = { suite: OWN, at: { app: name, runtime: runtime.label } };
  const { command, runtimeArgs = [], ready } = serverSpecOf(spec, server, point, process.cwd()) as CommandServer;
  const [first, ...rest] = SCRIPT_ARGS[runtime.name];
  const started = [runtime.file, ...(first === undefined ? [] : [first]), ...runtimeArgs, ...rest, ...command];
  return { kind: "command", name, home, command: [...words, ...started], ready, port: null, files: [] };
}

function wrapper(folder: string, words: readonly string[]): string {
  const file = join(folder, "runtime");
  writeFileSync(file, `#!/bin/sh\nexec ${words.map(shellQuoted).join(" ")} "$@"\n`);
  chmodSync(file, 0o700);
  return file;
}

/** Paths of regular files in what `strace -y` writes of calls that open them; a call that failed has none. */
export function openedIn(trace: string): Set<string> {
  return new Set([...trace.matchAll(/= \d+<(\/[^>\n]*)>$/gm)].map(([, path]) => path!));
}

/**
 * Follows base and yours, and refuses where one reads a file that is neither its own nor the same for both.
 *
 * @param install the line that installs packages; undefined if they are lent
 * @returns why it is not known what they read; null if it is
 * @throws BenchError that names the file
 */
export async function refuseForeign(
  spec: UserSpec,
  trees: Trees,
  site: Parameters<typeof openedFiles>[2],
  install: string | undefined,
): Promise<string | null> {
  const [base, yours] = await Promise.all(
    [BASE, YOURS].map(async (name) =>
      await openedFiles(spec.servers.find((server) => server.name === name)!, spec, site)
    ),
  );
  if ("unknown" in yours!) return yours.unknown;
  const ofBase = "unknown" in base! ? new Set<string>() : base!;
  const foreign = await foreignFile(trees, ofBase, yours!);
  if (foreign !== null) throw usageError(foreign.text, hintFor(foreign, trees, install));
  const own = [...yours!].filter((path) => path.startsWith(`${trees.root}/`)).map((path) => relative(trees.root, path));
  const ofFolder = [...ofBase].filter((path) => path.startsWith(`${trees.folder}/`));
  refuseMade(trees, new Set([...own, ...ofFolder.map((path) => relative(trees.folder, path))]));
  return "unknown" in base! ? base.unknown : null;
}

/** The option that gives the base a file it lacks, or the way to have it read its own. */
function hintFor({ kind, path }: ForeignFile, { root, lentTo }: Trees, install: string | undefined): string {
  if (kind === "base-reads-yours") return `name "${path}" by a path from the app's folder`;
  const to = relative(process.cwd(), join(root, path));
  const folder = dirname(to) === "." ? "" : `mkdir -p ${shellQuoted(dirname(to))} && `;
  const before = install ?? (lentTo === null ? "" : "npm ci");
  const copied = `${folder}cp "$LEVELFIELD_WORK_TREE"/${shellQuoted(path)} ${shellQuoted(to)}`;
  return `--install ${shellQuoted(`${before === "" ? "" : `${before} && `}${copied}`)}, or what builds it`;
}
