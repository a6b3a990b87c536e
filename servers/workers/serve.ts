/** The module that `deno serve --parallel` runs in each of its threads: it opens the app and counts its requests. */
import process from "node:process";
import type { ServeOptions } from "../adapter.ts";
import { openModule } from "../open-module.ts";
import { detectRuntime } from "../runtime.ts";
import { type Counter, report } from "./report.ts";
import { REQUEST, type WorkersRequest } from "./ways.ts";

const { app, hostname, port } = JSON.parse(process.env[REQUEST]!) as WorkersRequest;
const { module, directory, options } = app!;
const runtime = detectRuntime();
const started = performance.now();
const opened = await openModule(module, { directory, options: JSON.parse(options), runtime: runtime.name });
const openMs = performance.now() - started;
const { fetch } = opened;
if (fetch === undefined) throw new Error("deno serve wants a fetch handler, and this app brings a server of its own");

const counter: Counter = { requests: 0 };
const { diskBytes, facts } = await opened.describe?.() ?? { diskBytes: null, facts: {} };
report(counter, {
  schema: "levelfield.ready/2",
  runtime: runtime.name,
  version: runtime.version,
  pid: process.pid,
  url: `http://${hostname}:${port}`,
  openMs,
  diskBytes,
  facts,
});

const served: ServeOptions["fetch"] = fetch.length > 1
  ? (request, more) => {
    counter.requests!++;
    return fetch(request, more);
  }
  : (request) => {
    counter.requests!++;
    return fetch(request);
  };

export default { fetch: served };
