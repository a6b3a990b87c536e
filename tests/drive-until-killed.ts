/** A driver with an agent: starts three programs there, prints their process ids, and waits to be killed. */
import { ourHello } from "../bench/pipe/greet-agent.ts";
import { remoteHost } from "../bench/pipe/remote-host.ts";

const host = await remoteHost(process.argv.slice(2), "agent", ourHello());
const pids: number[] = [];
for (let n = 0; n < 3; n++) {
  pids.push((await host.start({ file: "sleep", args: ["600"], cpus: null, env: {} })).pid);
}
process.stdout.write(`${JSON.stringify(pids)}\n`);
setInterval(() => {}, 1_000);
