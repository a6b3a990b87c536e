import type { RunRecord } from "../record/run-record.ts";

/** Where servers and load generator run, where hosts were named: `servers on host "ssh box1" at 10.0.0.1, load from "here"`. */
export function joinedText(
  { server, load, address }: Pick<NonNullable<RunRecord["hosts"]>, "server" | "load" | "address">,
): string {
  return `servers on host "${server ?? "here"}" at ${address}, load from "${load ?? "here"}"`;
}
