import { buildFiles } from "./build-files.ts";
import type { Child } from "../machine/child.ts";
import type { Host, HostProcess } from "./host.ts";
import { openClient } from "../process/open-client.ts";
import { doHere, here, operationsBy } from "./operations.ts";
import { startServer, stopServer } from "../process/start-server.ts";
import { processOf, startProgram } from "./start-program.ts";

/**
 * This machine, without a pipe: what a driver and an agent do themselves.
 *
 * @param agentData an agent's folder of what is built for servers; null where the driver itself is at work
 */
export function localHost(agentData: string | null = null): Host {
  const site = here(agentData);
  const children = new WeakMap<HostProcess, Child>();
  return {
    ...operationsBy((name, args) => doHere(site, name, args)),
    command: null,
    lost: () => null,
    dataFolder: (folder) => folder,
    start: (command, listeners) => Promise.resolve(startProgram(command, listeners)),
    async serve(request) {
      const server = await startServer(request);
      if (!("url" in server)) return server;
      const { child, ...rest } = server;
      if (child === null) return { ...rest, process: null };
      const process = processOf(child);
      children.set(process, child);
      return { ...rest, process };
    },
    async stop({ process, ...rest }) {
      await stopServer({ ...rest, child: process === null ? null : children.get(process)! });
    },
    build: buildFiles,
    client: openClient,
    close: () => Promise.resolve(),
  };
}
