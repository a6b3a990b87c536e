import { type BareServer, HEALTH_BODY } from "../adapter.ts";
import { listenDeno } from "../adapters/deno.ts";

/** Deno without a framework. */
export const serve: BareServer = (options) =>
  listenDeno(() => new Response(HEALTH_BODY, { headers: { "content-type": "application/json" } }), options);
