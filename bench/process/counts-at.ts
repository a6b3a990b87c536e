import { connect } from "node:net";
import { jsonOf } from "../basics/bounded-json.ts";
import { LAST_RESORT } from "../machine/last-resort.ts";
import { LOOPBACK } from "./listens-where.ts";

/** What a port of this host answers to the line `totals`: a line of JSON. Null without. */
export function totalsAt(port: number): Promise<unknown> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, LOOPBACK, () => void socket.write("totals\n")).setEncoding("utf8");
    socket.setTimeout(LAST_RESORT.countsMs);
    const end = () => {
      socket.destroy();
      resolve(jsonOf(text) ?? null);
    };
    socket.on("data", (part: string) => (text += part).length > 65_536 || text.endsWith("\n") ? end() : undefined)
      .on("end", end).on("timeout", end).on("error", end);
  });
}

/** What a service of this host tells at a port of its own: numbers by name. Null without. */
export async function countsAt(port: number): Promise<Record<string, number> | null> {
  const told = await totalsAt(port);
  if (typeof told !== "object" || told === null) return null;
  return Object.fromEntries(Object.entries(told).filter(([, value]) => typeof value === "number"));
}
