/** Words for the hosts of a run. A run on one machine without named hosts has none. */
import type { LinkSeen } from "../result/link-seen.ts";
import type { RunRecord } from "../record/run-record.ts";
import { counted, formatDurationMs, formatUs, percent } from "../basics/units.ts";

type HostedRun = Pick<RunRecord, "machine" | "hosts">;

/** The hosts of a run and their link; null without hosts. `seen` is the link as its windows saw it. */
export function hostTexts({ machine, hosts }: HostedRun, seen: LinkSeen | null) {
  if (hosts === undefined) return null;
  const { load_machine: other, service } = hosts;
  return {
    server: [
      `${hostName(hosts.server)}, ${machineText(machine)}`,
      ...(service === undefined ? [] : [
        `with their services on ${hostName(service.host)}`,
        ...(service.machine === undefined ? [] : [machineText(service.machine)]),
        linkText(service),
      ]),
    ].join(", "),
    load: `${hostName(hosts.load)}, ${other === undefined ? "the same machine" : machineText(other)}`,
    link: [linkText(hosts), ...(seen === null ? [] : seenTexts(seen))].join(", "),
  };
}

/** `AMD EPYC (amd-25-1)`, and the load generator's machine if that is another one. */
export function machinesText({ machine, hosts }: HostedRun): string {
  const { load_machine: other } = hosts ?? {};
  return other === undefined ? cpuText(machine) : `${cpuText(machine)}, load from ${cpuText(other)}`;
}

const linkText = ({ address, link }: Pick<NonNullable<RunRecord["hosts"]>, "address" | "link">) =>
  `${address} on ${link.name}${speedText(link.bits_per_second)}`;

const hostName = (command: string | null) => command === null ? "the driver's own host" : `"${command}"`;

const machineText = (machine: RunRecord["machine"]) => `${cpuText(machine)}, ${counted(machine.cpus, "CPU")}`;

function speedText(bitsPerSecond: number | null): string {
  if (bitsPerSecond === null) return ", of unknown speed";
  const units = ["bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"];
  const unit = Math.max(0, units.findLastIndex((_, power) => bitsPerSecond >= 1000 ** power));
  return ` at ${Number((bitsPerSecond / 1000 ** unit).toPrecision(3))} ${units[unit]}`;
}

function seenTexts({ round_trip_us, share, retransmit_share }: LinkSeen): string[] {
  return [
    round_trip_us === null ? "round trip not known" : `round trip ${formatUs(round_trip_us)}`,
    ...(share === null ? [] : [`at most ${percent(share)} of it used`]),
    retransmit_share === null
      ? "segments sent again not known"
      : `at most ${Number((1_000 * retransmit_share).toPrecision(2))} segments sent again in 1 000 requests`,
  ];
}

/** `AMD EPYC (amd-25-1)`: a CPU by its model's name and its kind, which is what verdicts hold for. */
export function cpuText({ cpu_model, cpu_kind }: Pick<RunRecord["machine"], "cpu_model" | "cpu_kind">): string {
  return `${cpu_model} (${cpu_kind})`;
}

type Joined = Pick<NonNullable<RunRecord["hosts"]>, "server" | "load" | "address"> & {
  readonly service?: Pick<NonNullable<NonNullable<RunRecord["hosts"]>["service"]>, "host" | "address"> | undefined;
};

/** Where servers and load generator run, where hosts were named: `servers on host "ssh box1" at 10.0.0.1, load from "here"`. */
export function joinedText({ server, load, address, service }: Joined): string {
  const services = service === undefined ? "" : `, their services on "${service.host ?? "here"}" at ${service.address}`;
  return `servers on host "${server ?? "here"}" at ${address}${services}, load from "${load ?? "here"}"`;
}

/** The meaning of a machine's grade for readers of its figures. */
export const GRADE_MEANING: Readonly<Record<RunRecord["grade"]["grade"], string>> = {
  dedicated: "rates can be compared as they stand",
  shared: "the machine's speed may have moved; trust verdicts of servers measured together more than single rates",
  advisory: "processes could not be pinned; take the figures as a hint",
};

/** `, 2 min 3 s in all`; empty for an unfinished run. */
export const wallText = ({ started_at, finished_at }: Pick<RunRecord, "started_at" | "finished_at">): string =>
  finished_at === null ? "" : `, ${formatDurationMs(Date.parse(finished_at) - Date.parse(started_at))} in all`;
