import { fileURLToPath } from "node:url";
import type { ServerSpec } from "../../suites/suite.ts";

const SCRIPT = fileURLToPath(new URL("./null-server.lua", import.meta.url));

/**
 * A server that does nothing, to find a generator's ceiling with. It runs on wrk's LuaJIT: none of the runtimes that are
 * measured is the yardstick of the others.
 *
 * @param wrk path of wrk
 */
export function nullServer(wrk: string): ServerSpec {
  return {
    kind: "command",
    command: [wrk, "-t1", "-c1", "-d1", "-s", SCRIPT, "http://{host}:{port}"],
    ready: "/",
    stop: "SIGTERM",
    identity: {},
  } as ServerSpec;
}
