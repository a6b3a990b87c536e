/** oRPC and tRPC over WebSocket: https://github.com/middleapi/orpc/pull/2050. */
import { defineConfig } from "levelfield";

const body = { json: "hello world" };

/** One message that both understand: each side takes its own keys and leaves the other's. */
const call = {
  id: "1",
  ...{ kind: "request", json: { method: "POST", url: "/nested/procedure_1", headers: {}, bodyHint: "json", body } },
  ...{ method: "query", params: { path: "nested.procedure_1", input: body } },
};

export default defineConfig({
  program: { orpc: "../orpc-trpc/programs/orpc-ws.mjs", trpc: "../orpc-trpc/programs/trpc-ws.mjs" },
  request: { method: "WEBSOCKET", path: "/", body: JSON.stringify(call) },
  // Each wraps its reply in its own way, and is held to that.
  expect: 101,
  rounds: 4,
  at: { runtime: ["node"], connections: [10] },
});
