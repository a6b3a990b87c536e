import { connect } from "node:net";
import { LOOPBACK } from "./listens-where.ts";

/** How long a service has to tell, in milliseconds. */
const TELL_MS = 2_000;

/** What a service of this host answers to the line `totals` at a port of its own: a line of JSON, numbers by name. Null without. */
export function countsAt(port: number): Promise<Record<string, number> | null> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, LOOPBACK, () => void socket.write("totals\n")).setEncoding("utf8").setTimeout(TELL_MS);
    const end = () => {
      socket.destroy();
      try {
        const told = Object.entries(JSON.parse(text)).filter(([, value]) => typeof value === "number");
        resolve(Object.fromEntries(told) as Record<string, number>);
      } catch {
        resolve(null);
      }
    };
    socket.on("data", (part: string) => (text += part).length > 65_536 || text.endsWith("\n") ? end() : undefined)
      .on("end", end).on("timeout", end).on("error", end);
  });
}
