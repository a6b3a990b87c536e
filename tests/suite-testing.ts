/** What tests of suites share: serving an app in this process, and asking it as its oracle and its load would. */
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bodyBytes } from "../bench/basics/body-bytes.ts";
import { openWebSocket, sendMessage, WEBSOCKET } from "../bench/process/web-socket.ts";
import type { Adapter } from "../servers/adapter.ts";
import type { App, AppContext, OpenApp } from "../servers/app.ts";
import { mix } from "../stores/dataset/mix.ts";
import type {
  AppServer,
  Body,
  Check,
  Draw,
  Point,
  Reply,
  RequestPlan,
  RequestTemplate,
  Suite,
  Target,
  Value,
} from "../suites/suite.ts";
import { PATIENCE_MS } from "./patience.ts";
import { inTemporaryFolder, onceTest, runtime } from "./testing.ts";

/** An app that is served, to be asked. */
export interface ServedApp {
  readonly app: App;
  readonly url: string;
  readonly target: Target;
}

/**
 * Opens an app on the runtime the tests run on, whichever the spec names, serves it with the runtime's adapter, works with
 * it and closes it. It sees the spec's variables. Where the spec says that requests change its files it gets a copy of them.
 * @param change puts something else in front of the app's handler, to see that checks find it
 */
export async function serveApp<T>(
  spec: AppServer,
  work: (served: ServedApp) => Promise<T>,
  change: Change = (fetch) => fetch,
): Promise<T> {
  return await inTemporaryFolder(async (folder) => {
    // The app runs in this process.
    for (const [name, value] of Object.entries(spec.env ?? {})) process.env[name] = value;
    const copy = join(folder, "copy");
    if (spec.directory !== undefined && spec.state === "copy") cpSync(spec.directory, copy, { recursive: true });
    const { open }: { open: OpenApp } = await import(pathToFileURL(spec.module).href);
    const context: AppContext = {
      directory: spec.directory === undefined ? null : spec.state === "copy" ? copy : spec.directory,
      options: spec.options ?? {},
      runtime: runtime.name,
    };
    const app = await open(context);
    const { serve }: { serve: Adapter } = await import(`../servers/adapters/${runtime.name}.ts`);
    const here = { hostname: "127.0.0.1", port: 0 };
    const server = app.listen === undefined
      ? await serve({ ...here, fetch: change(app.fetch!) })
      : await app.listen(here);
    try {
      return await work({ app, url: server.url, target: targetAt(server.url) });
    } finally {
      await server.close();
      await app.close?.();
      for (const name of Object.keys(spec.env ?? {})) delete process.env[name];
    }
  });
}

/** A server to ask, each time over a connection of its own. */
export function targetAt(url: string): Target {
  const { hostname, port } = new URL(url);
  const over = { url, spoken: { protocol: "http" as const }, timeoutMs: PATIENCE_MS };
  return {
    url,
    isNear: true,
    webSocket: (path, headers = {}) => openWebSocket({ ...over, path, headers }),
    send(method, path, body, given = {}) {
      if (method === WEBSOCKET) return sendMessage({ ...over, path, headers: given }, body ?? "");
      const headers: Record<string, string | number> = body === undefined ? { connection: "close", ...given } : {
        connection: "close",
        "content-type": "application/json",
        "content-length": bodyBytes(body).length,
        ...given,
      };
      const reply = new Promise<Reply>((resolve, reject) => {
        const sent = request({ hostname, port, method, path, headers, agent: false }, (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () => {
            const bytes = Buffer.concat(chunks);
            const body = bytes.toString("utf8");
            resolve({
              status: response.statusCode!,
              headers: Object.fromEntries(Object.entries(response.headers).map(([name, text]) => [name, String(text)])),
              body,
              ...(Buffer.from(body, "utf8").equals(bytes) ? {} : { base64: bytes.toString("base64") }),
            });
          });
        });
        sent.on("error", reject);
        sent.end(body === undefined ? body : bodyBytes(body));
      });
      return reply;
    },
  };
}

/** Names of the checks that find a wrong answer; whatever else they throw is a failure of the test. */
export async function failuresIn(checks: readonly Check[], target: Target): Promise<string[]> {
  const failed: string[] = [];
  for (const check of checks) {
    try {
      const replies = await check.run(target);
      if (!(replies > 0)) throw new Error(`"${check.name}" compared nothing`);
    } catch (error) {
      // By name, as the driver does.
      if (!(error instanceof Error) || error.name !== "WrongAnswer") throw error;
      failed.push(check.name);
    }
  }
  return failed;
}

/** Puts something else in front of an app's handler. */
export type Change = (fetch: NonNullable<App["fetch"]>) => NonNullable<App["fetch"]>;

/** A change of replies alone, each of which is read no further where it is handed on. */
export const afterwards =
  (change: (reply: Response, request: Request) => Response | Promise<Response>): Change => (fetch) => async (request) =>
    await change(await fetch(request), request);

/** A server that is wrong in one way, and the names of the checks that must find it: those, and no others. */
export interface Mutant {
  readonly fault: string;
  readonly change: Change;
  readonly fails: readonly string[];
}

/** Registers a test on Node for each mutant, because checks are the same on all runtimes, with what serves it and gives the names of the checks that failed. */
export function testMutants(mutants: readonly Mutant[], failuresOf: (change: Change) => Promise<readonly string[]>) {
  for (const { fault, change, fails } of mutants) {
    onceTest(
      `a server that ${fault} fails the checks that name it, and no others`,
      async () => assert.deepEqual(await failuresOf(change), fails),
    );
  }
}

/** One request as a generator would make it. */
interface MadeRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Body;
  readonly expect: readonly number[];
}

/**
 * Makes requests of a plan, as many of each template as asked for. It draws simply: what placeholders become is right,
 * how often each value comes is not.
 */
export function madeRequests(plan: RequestPlan, times: number): MadeRequest[] {
  return plan.mix.flatMap((template) => Array.from({ length: times }, (_, n) => madeRequest(plan, template, n, times)));
}

function madeRequest(plan: RequestPlan, template: RequestTemplate, n: number, of: number): MadeRequest {
  const values = new Map<string, { number: number; text: string }>();
  const valueOf = (name: string): { number: number; text: string } => {
    const there = values.get(name);
    if (there !== undefined) return there;
    const draw: Draw = plan.draws![name]!;
    if (draw.kind === "rows") throw new Error("rows of files are not made here");
    const number = draw.kind === "same"
      ? valueOf(draw.of).number
      : draw.kind === "serial"
      ? draw.from + n
      : Math.floor(n * draw.below / of);
    const value = { number, text: textIn(draw.as, number) };
    values.set(name, value);
    return value;
  };
  const filled = (text: string) =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => plan.draws?.[name] === undefined ? whole : valueOf(name).text);
  const { method = "GET", path, headers = {}, body, expect } = template;
  return {
    method,
    path: filled(path),
    headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, filled(text)])),
    ...(body === undefined ? {} : { body: typeof body === "string" ? filled(body) : body }),
    expect,
  };
}

function textIn(form: Exclude<Draw, { kind: "rows" }>["as"], number: number): string {
  if (form === undefined || form === "decimal") return String(number);
  const [a, b, c, d] = form.hex16;
  const high = mix(mix(number | 0, a), b);
  const low = mix(mix(high, c), d);
  return [high, low].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** Every point of a suite's default values, and of some others besides. */
export function pointsOf(suite: Suite, others: Readonly<Record<string, readonly Value[]>> = {}): Point[] {
  return suite.axes.map((axis): [string, readonly Value[]] => [axis.name, others[axis.name] ?? axis.values])
    .reduce<Record<string, Value>[]>(
      (points, [name, values]) => points.flatMap((at) => values.map((value) => ({ ...at, [name]: value }))),
      [{}],
    )
    .map((at) => ({ suite: suite.name, at }));
}
