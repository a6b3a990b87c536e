import type { RuntimeBinary } from "../../bench/runtimes/runtimes.ts";
import { startServer } from "../../bench/process/start-server.ts";
import type { ServerProcess } from "../../bench/process/server-request.ts";
import { directoryFor, type PreparedFiles } from "../../bench/observe/prepare-files.ts";
import type { FuzzApp } from "./fuzz-apps.ts";

/** Where apps are fuzzed, and how much. */
export interface FuzzSite {
  readonly runtimes: readonly RuntimeBinary[];
  readonly files: PreparedFiles;
  /** Sent to each server. */
  readonly requests: number;
  readonly seed: number;
  /** The time in which a server's descriptors have to be closed, in milliseconds. */
  readonly descriptorsMs?: number | undefined;
  stopped(): boolean;
  onStart(kill: () => void): void;
  /** Receives now and then how many requests a server has been sent. */
  progress(app: string, runtime: string, sent: number): void;
  /** Receives the number of further requests that are done. */
  advance?(requests: number): void;
}

/** Starts the app on a runtime over a copy of its files, or says why there is none. */
export async function startAt(
  app: FuzzApp,
  runtime: RuntimeBinary,
  { files, onStart }: FuzzSite,
): Promise<ServerProcess | { readonly why: string; readonly fault: boolean }> {
  const point = app.points.get(runtime.name)![0]!;
  const found = directoryFor(app.suite.files?.(point) ?? null, files);
  if ("failed" in found) return { why: found.failed, fault: true };
  const spec = app.suite.server(point, found.directory);
  // Nothing is timed: servers go where there is room.
  const server = await startServer({ spec, runtime, cpus: null, copy: true, onStart });
  if ("unsupported" in server) return { why: server.unsupported, fault: false };
  return "failed" in server ? { why: server.failed.text, fault: true } : server;
}
