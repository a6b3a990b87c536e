import type { RunRecord } from "../record/run-record.ts";

type Joined = Pick<NonNullable<RunRecord["hosts"]>, "server" | "load" | "address"> & {
  readonly service?: Pick<NonNullable<NonNullable<RunRecord["hosts"]>["service"]>, "host" | "address"> | undefined;
};

/** Where servers and load generator run, where hosts were named: `servers on host "ssh box1" at 10.0.0.1, load from "here"`. */
export function joinedText({ server, load, address, service }: Joined): string {
  const beside = service === undefined ? "" : `, their services on "${service.host ?? "here"}" at ${service.address}`;
  return `servers on host "${server ?? "here"}" at ${address}${beside}, load from "${load ?? "here"}"`;
}
