import { buildFiles } from "./build-files.ts";
import type { Host } from "./host.ts";
import { openClient } from "../process/open-client.ts";
import { doHere, here, operationsBy } from "./operations.ts";
import type { ServerProcess } from "../process/server-request.ts";
import { startServer, stopServer } from "../process/start-server.ts";
import { startProgram } from "./start-program.ts";

/**
 * This machine, without a pipe: what a driver and an agent do themselves.
 *
 * @param agentData an agent's folder of what is built for servers; null where the driver itself is at work
 */
export function localHost(agentData: string | null = null): Host {
  const site = here(agentData);
  return {
    ...operationsBy((name, args) => doHere(site, name, args)),
    command: null,
    lost: () => null,
    dataFolder: (folder) => folder,
    start: (command, listeners) => Promise.resolve(startProgram(command, listeners)),
    serve: startServer,
    // It was started here.
    stop: (server) => stopServer(server as ServerProcess),
    build: buildFiles,
    client: openClient,
    close: () => Promise.resolve(),
  };
}
