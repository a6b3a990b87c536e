import type { ExitCode } from "../basics/errors.ts";
import { listenForInterrupts } from "../machine/interrupts.ts";
import { localHost } from "../pipe/local-host.ts";
import { runAgent } from "../pipe/agent.ts";
import { ourHello } from "../pipe/greet-agent.ts";

/** `bench agent`: starts, watches and stops processes here for a bench on another host, over stdin and stdout. */
export async function agentCommand(): Promise<ExitCode> {
  const interrupts = listenForInterrupts();
  // If the driver is gone, processes are ended before the failed output is.
  process.stdout.removeAllListeners("error");
  try {
    const { stdin: input, stdout: output } = process;
    const here = ourHello();
    return await runAgent({ input, output, host: localHost(here.data), ours: here, interrupts });
  } finally {
    interrupts.release();
  }
}
