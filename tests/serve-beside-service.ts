import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { findProgram } from "../bench/host/child.ts";
import { localHost } from "../bench/host/local-host.ts";
import { letIn, type RunningService } from "../bench/observe/services.ts";
import type { App } from "../servers/app.ts";
import type { AppServer, Point, Suite } from "../suites/suite.ts";
import { serveApp, type ServedApp } from "./suite-testing.ts";

const wrk = findProgram("wrk");

/** A test of an app beside its service, where services can be started. */
export const besideService = existsSync("/proc/self/environ") && wrk !== undefined ? test : test.skip;

/** An app that is served beside its service, which tells what it has counted. */
export interface BesideService extends ServedApp {
  readonly port: number;
  counts(): Promise<Record<string, number>>;
}

/**
 * Serves a point's app beside the first of its services, and ends both. Undefined where the real service is not installed.
 *
 * @param directory the folder with the suite's files, or null without
 * @param change puts something else in front of the app's handler
 */
export async function serveBesideService<T>(
  suite: Suite,
  point: Point,
  directory: string | null,
  work: (served: BesideService) => Promise<T>,
  change?: (fetch: NonNullable<App["fetch"]>) => NonNullable<App["fetch"]>,
): Promise<T | undefined> {
  const host = localHost();
  const [wanted] = suite.services!(point, directory);
  const service = await host.serve({ spec: wanted!, runtime: null, cpus: null, wrk: wrk! });
  if ("unsupported" in service) return undefined;
  assert.ok("url" in service, JSON.stringify(service));
  const { port, counts } = service.service!;
  try {
    const server = suite.server(point, directory, { [wanted!.name]: { host: "127.0.0.1", port } });
    return await serveApp(
      letIn(server as AppServer, [{ server: service } as RunningService]),
      (served) => work({ ...served, port, counts: async () => (await host.countsAt(counts!))! }),
      change,
    );
  } finally {
    await host.stop(service);
  }
}
