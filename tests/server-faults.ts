/** Ways in which a server fails, built into copies of the real one. */
import assert from "node:assert/strict";
import type { Reason } from "../bench/record/observation-record.ts";
import { childrenWith, type FaultyObservation, replaced } from "./faulty-servers.ts";

/** Runs code at the start of each look-up; `asked` counts them. */
export const inEachFind = (code: string) => (source: string) =>
  replaced(
    replaced(source, "export function usersApp", "let asked = 0;\nexport function usersApp"),
    'const id = c.req.param("id");',
    `const id = c.req.param("id");\n    asked++;\n    ${code}`,
  );

/** Not before the load: the oracle asks fewer than 100 times. */
const LATER = "asked > 200";

/** Connections where a server hangs: how long its replies are waited for goes by how many there are. */
export const FEW = 10;

/** Faults of a server, with what is told of each. */
export const FAULTS: readonly (FaultyObservation & {
  readonly name: string;
  readonly code: Reason["code"];
  readonly status: string | RegExp;
})[] = [
  {
    name: "a server that cannot start",
    patch: (source) => `throw new Error("no licence");\n${source}`,
    code: "server-failed-to-start",
    status: "failed",
  },
  {
    name: "a server that ends under load",
    patch: inEachFind(`if (${LATER}) process.exit(9);`),
    code: "server-crashed",
    status: "failed",
  },
  {
    name: "a server that stops answering under load",
    patch: inEachFind(`while (${LATER});`),
    code: "server-hung",
    status: "failed",
  },
  {
    name: "a server that answers with an error under load",
    patch: inEachFind(`if (${LATER} && asked % 50 === 0) return c.json({ error: "overloaded" }, 500);`),
    code: "unexpected-status",
    status: "invalid",
  },
  {
    name: "a server that closes connections before it has answered",
    patch: inEachFind(
      `if (${LATER} && asked % 50 === 0) {
          return new Response(new ReadableStream({ start: (body) => body.error(new Error("closed")) }));
        }`,
    ),
    code: "socket-errors",
    // The oracle after the load meets closed connections too, but some HTTP clients ask again by themselves.
    status: /^(invalid|failed)$/,
  },
  {
    name: "a server with one wrong byte for one user",
    patch: (source) =>
      replaced(
        source,
        ": c.json(user);",
        ": c.json(user.email === 'user.0@example.com' ? { ...user, age: user.age + 1 } : user);",
      ),
    code: "wrong-answer",
    status: "invalid",
  },
  {
    name: "a server of another version than was asked for",
    runtime: (runtime) => ({ ...runtime, version: "0.0.1" }),
    code: "wrong-runtime",
    status: "failed",
  },
];

/** No server and no load generator of a test's observations is left. */
export function assertNobodyLeft(): void {
  assert.deepEqual([...childrenWith("servers/main.ts"), ...childrenWith("wrk.lua")], []);
}
