/** Records what small apps of a test answer, and asks them as a run does. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Host } from "../bench/pipe/host.ts";
import { localHost } from "../bench/pipe/local-host.ts";
import { USER_SUITE } from "../bench/record/cell.ts";
import { inspectRuntime, type RuntimeBinary } from "../bench/runtimes/runtimes.ts";
import { startServer, stopServer } from "../bench/process/start-server.ts";
import type { ServerProcess } from "../bench/process/server-request.ts";
import { userSuite } from "../bench/apps/user-suite.ts";
import { draftOf, itemsGiven } from "../bench/options/read-draft.ts";
import { recordReplies } from "../bench/apps/record-replies.ts";
import { checkReplies } from "../bench/observe/check-replies.ts";
import { hostsHere } from "../bench/observe/equip.ts";
import type { Hosts } from "../bench/observe/sample-load.ts";
import { type UserSpec, userSpecSchema } from "../bench/record/user-spec.ts";
import type { Point } from "../suites/suite.ts";
import { PATIENCE_MS } from "./patience.ts";
import { fingerprint, inTemporaryFolder, runtime } from "./testing.ts";

/** An option as it is given. */
export type GivenOption = readonly [name: string, value: string];

/** The runtime the tests run on. */
export const here = await inspectRuntime(runtime.name);

/** Where and how long replies are recorded. */
interface Recording {
  readonly runtimes?: readonly RuntimeBinary[];
  readonly hosts?: Hosts;
  /** Milliseconds until everything is asked again: none by default, for few apps of tests follow a clock. */
  readonly laterMs?: number;
}

/** Records what files with these texts answer, named with `a=FILE`, on the runtime the tests run on. */
export async function record<T>(
  files: Readonly<Record<string, string>>,
  given: (folder: string) => readonly GivenOption[],
  use: (spec: UserSpec, told: readonly string[], folder: string) => T | Promise<T>,
  { runtimes = [here], hosts = hostsHere(), laterMs = 0 }: Recording = {},
): Promise<T> {
  return await inTemporaryFolder(async (folder) => {
    for (const [name, text] of Object.entries({ "package.json": '{"type":"module"}', ...files })) {
      mkdirSync(join(folder, name, ".."), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const before = fingerprint(folder);
    const told: string[] = [];
    const draft = draftOf(itemsGiven(given(folder)));
    const spec = await recordReplies(draft, process.cwd(), {
      runtimes,
      hosts,
      say: (line) => told.push(line),
      laterMs,
    });
    assert.deepEqual(fingerprint(folder), before, "something was written to the app's folder");
    assert.deepEqual(userSpecSchema.parse(JSON.parse(JSON.stringify(spec))), spec, "it can be kept and read again");
    return await use(spec, told, folder);
  });
}

/** Names an app. */
export const app =
  (name: string, file = `${name}.ts`) => (folder: string): GivenOption => ["app", `${name}=${join(folder, file)}`];
/** A module that answers each request with an expression. */
export const fetchText = (body: string) => `export default { fetch: (request: Request) => ${body} };`;

/** Hosts whose clock for programs is fast: how long one listens elsewhere before that counts is no matter then. */
export function hurriedHosts(): Hosts {
  const hosts = hostsHere();
  const serve: Host["serve"] = (request) =>
    hosts.server.serve({ ...request, readyMs: Infinity, now: () => 50 * performance.now() });
  return { ...hosts, server: Object.assign(Object.create(hosts.server), { serve }) };
}

/** Starts a server of a spec, to be asked by its oracle. */
export async function withServer<T>(
  spec: UserSpec,
  name: string,
  use: (server: ServerProcess) => Promise<T>,
): Promise<T> {
  const suite = userSuite(spec, process.cwd());
  const point: Point = { suite: USER_SUITE, at: { app: name, runtime: here.label, connections: 1 } };
  const server = await startServer({ spec: suite.server(point, null), runtime: here, cpus: null });
  assert.ok("url" in server, JSON.stringify(server));
  try {
    return await use(server);
  } finally {
    await stopServer(server);
  }
}

/** Asks a server what its oracle asks. */
export const oracleAnswer = (spec: UserSpec, { url }: ServerProcess, app = "") =>
  checkReplies(
    { url, from: localHost() },
    userSuite(spec, process.cwd()).oracle({ suite: USER_SUITE, at: { app, runtime: here.label } }),
    1,
    PATIENCE_MS,
  );
