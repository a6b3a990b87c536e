import { type BareServer, HEALTH_BODY } from "../adapter.ts";
import { listenBun } from "../adapters/bun.ts";

/** Bun without a framework. */
export const serve: BareServer = (options) =>
  listenBun(() => new Response(HEALTH_BODY, { headers: { "content-type": "application/json" } }), options);
