/** A server with one fault, as a program: `faulty-command.ts FAULT PORT`. Ends on SIGTERM. */
import { behaviourOf, listen } from "./behaviours.ts";

const [fault = "", port = "0"] = process.argv.slice(2);
const behaviour = behaviourOf(fault);

process.on("SIGTERM", async () => {
  await behaviour.atEnd?.();
  process.exit(0);
});
await listen(behaviour, Number(port));
