import { nullServer } from "../bench/generators/null-server.ts";
import { GENERATORS } from "../bench/generators/registry.ts";
import { inspectGenerator } from "../bench/observe/inspect-generator.ts";
import { type ServerProcess, startServer, stopServer } from "../bench/host/server-process.ts";
import type { Tool } from "../bench/observe/site.ts";
import type { SelfSite } from "../bench/self/self-site.ts";

/** Does something with a server that does nothing, and stops it whatever comes of that. */
export async function withNullServer<T>(
  { equipment, interrupts }: SelfSite,
  work: (server: ServerProcess) => Promise<T>,
): Promise<T> {
  const server = await startServer({
    spec: nullServer(equipment.wrk.program),
    runtime: null,
    cpus: equipment.placement.serverCpus,
    raised: equipment.priority.nice !== null,
    onStart: interrupts.onStart,
  });
  if (!("url" in server)) throw new Error("failed" in server ? server.failed.text : server.unsupported);
  try {
    return await work(server);
  } finally {
    await stopServer(server);
  }
}

/** The generators there are, wrk first. */
export async function presentTools({ equipment, say }: SelfSite): Promise<Tool[]> {
  const tools: Tool[] = [equipment.wrk];
  for (const generator of Object.values(GENERATORS).slice(1)) {
    const tool = await inspectGenerator(generator).catch((
      error: Error,
    ) => (say(error.message), undefined));
    if (tool !== undefined) tools.push(tool);
  }
  return tools;
}
