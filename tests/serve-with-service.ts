import { existsSync } from "node:fs";
import { test } from "node:test";
import { findProgram } from "../bench/machine/programs.ts";
import { countsAt } from "../bench/process/workers.ts";
import type { AppServer, Point, Suite } from "../suites/suite.ts";
import { keptService } from "./kept-service.ts";
import { type Change, serveApp, type ServedApp } from "./suite-testing.ts";

/** A test of an app beside its service, where services can be started. */
export const besideService = existsSync("/proc/self/environ") && findProgram("wrk") !== undefined ? test : test.skip;

/** An app that is served beside its service, which tells what it has counted. */
export interface WithService extends ServedApp {
  /** Where the service listens. */
  readonly port: number;
  /** Variables by which its clients are let in. */
  readonly env: Readonly<Record<string, string>>;
  /** Counts of the service since the app was served; none of a real service. */
  counts(): Promise<Record<string, number>>;
}

/**
 * Serves a point's app beside the first of its services, which is kept for other tests. Undefined where the real service
 * is not installed.
 *
 * @param directory the folder with the suite's files, or null without
 * @param change puts something else in front of the app's handler
 */
export async function serveWithService<T>(
  suite: Suite,
  point: Point,
  directory: string | null,
  work: (served: WithService) => Promise<T>,
  change?: Change,
): Promise<T | undefined> {
  const [wanted] = suite.services!(point, directory);
  const service = await keptService(wanted!);
  if (service === null) return undefined;
  const { port, counts, env = {} } = service;
  const server = suite.server(point, directory, { [wanted!.name]: { host: "127.0.0.1", port } }) as AppServer;
  const told = async () => counts === undefined ? {} : (await countsAt(counts))!;
  const before = await told();
  const since = async () =>
    Object.fromEntries(Object.entries(await told()).map(([name, n]) => [name, n - (before[name] ?? 0)]));
  return await serveApp(
    { ...server, env: { ...server.env, ...env } },
    (served) => work({ ...served, port, env, counts: since }),
    change,
  );
}
