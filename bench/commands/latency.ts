import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { At, Suite } from "../../suites/suite.ts";
import { MAIN } from "../record/cell.ts";
import type { Cell } from "../record/cell-schema.ts";
import { EXIT, type ExitCode, usageError } from "../basics/errors.ts";
import type { Limit } from "../basics/limit.ts";
import type { LatencyCell, LatencyRecord } from "../record/latency-record.ts";
import { inOrder, probeOf } from "../core/points.ts";
import { GENERATORS } from "../generators/registry.ts";
import { type Interrupts, listenForInterrupts } from "../host/interrupts.ts";
import type { LoadedSuite } from "../host/load-suite.ts";
import { checkResultsFolder } from "../host/run-folder.ts";
import { withMachine } from "../host/with-machine.ts";
import type { RuntimeBinary } from "../host/runtimes.ts";
import { writeRecord } from "../host/write-record.ts";
import { conductLatency } from "../observe/conduct-latency.ts";
import { gradeOn, onHosts } from "../observe/connect-hosts.ts";
import { describeHosts, describeTool } from "../observe/describe-run.ts";
import { equip } from "../observe/equip.ts";
import { inspectGenerator } from "../observe/inspect-generator.ts";
import type { Hosts } from "../observe/sample-load.ts";
import { harmlessJson } from "../report/harmless.ts";
import { latencyPicture } from "../report/latency-picture.ts";
import { latencyText } from "../report/latency-table.ts";
import { oneValueEach } from "../input/axis-values.ts";
import { cellFrom } from "../input/cell-operand.ts";
import { configLine } from "../input/config-meant.ts";
import { type Context, dataDirectory, resultsDirectory, runtimesDirectory } from "./context.ts";
import { hostsWishFrom, placementWishFrom } from "../input/wishes.ts";
import { recordedAt } from "../input/own-servers.ts";
import { bindRuntimes } from "../input/runtime-wishes.ts";
import { chosenSuite, isNamed } from "../input/suites.ts";

/** `bench latency [suite] [cell…]`: what somebody waits at fixed rates, and the highest rate that holds a limit. */
export async function latencyCommand(context: Context): Promise<ExitCode> {
  const { args } = context;
  const named = context.suites.some((each) => isNamed(each, args.words[0]));
  const loaded = chosenSuite(args, context.suites, named ? args.words[0]! : null);
  const { suite: meant } = loaded;
  const words = named ? args.words.slice(1) : args.words;
  const shared = { ...probeOf(meant), ...oneValueEach(args, meant) };
  const asked: At[] = words.length === 0 ? [shared] : words.map((word) => ({ ...shared, ...cellFrom(loaded, word) }));
  const values = Object.fromEntries(
    meant.axes.map((axis) => [axis.name, inOrder(axis, asked.map((at) => at[axis.name]!))]),
  );
  const { runtimes, bound } = await bindRuntimes(meant, values, runtimesDirectory(args));
  const wanted = { loaded, asked: asked.map(bound), runtimes, limit: args.get("slo") };
  return await onHosts(hostsWishFrom(args), (hosts) => latencyOn(hosts, context, wanted));
}

/** What is measured, and the limit it is to keep. */
interface Wanted {
  readonly loaded: LoadedSuite;
  readonly asked: readonly At[];
  readonly runtimes: readonly RuntimeBinary[];
  readonly limit: Limit;
}

async function latencyOn(
  hosts: Hosts,
  context: Context,
  { loaded, asked, runtimes, limit }: Wanted,
): Promise<ExitCode> {
  const { args, stdout, outStyle, columns, print, say } = context;
  const { suite, own, cells: places } = await recordedAt(context, loaded, runtimes, hosts, asked);
  const cells = places.map((at) => ({ point: { suite: suite.name, at: { ...at } }, label: MAIN }));
  for (const { point } of cells) {
    const supported = suite.supports?.(point) ?? true;
    if (supported !== true) throw usageError(`suite "${suite.name}" cannot measure this cell: ${supported}`);
  }
  const configured = configLine(context, loaded);
  if (configured !== undefined) say(configured);
  const results = resultsDirectory(args);
  checkResultsFolder(results);
  const interrupts = listenForInterrupts();
  return await withMachine(interrupts, async () => {
    const made = await measured(hosts, context, { suite, cells, limit, runtimes, interrupts });
    if (made === null) return EXIT.interrupted;
    const record: LatencyRecord = { ...made, ...(own === undefined ? {} : { own }) };
    const file = writeRecord(results, "latency", record.started_at, record);
    const picture = file.replace(/json$/, "svg");
    writeFileSync(picture, latencyPicture(record));
    if (args.has("json")) stdout.write(harmlessJson(record) + "\n");
    else print(latencyText(record, outStyle, columns));
    say(`recorded in ${relative(process.cwd(), file)}, drawn in ${relative(process.cwd(), picture)}`);
    const sound = record.cells.every(({ observations, contradictions }) =>
      contradictions === undefined && observations.every(({ status }) => status === "ok")
    );
    return sound && record.cells.every(({ tails }) => tails.every((row) => row.sound > 0)) ? EXIT.done : EXIT.invalid;
  });
}

/** Cells as they are measured, and what stops that. */
interface Measured {
  readonly suite: Suite;
  readonly cells: readonly Cell[];
  readonly limit: Limit;
  readonly runtimes: readonly RuntimeBinary[];
  readonly interrupts: Interrupts;
}

/** Measures every cell; null where that was stopped. */
async function measured(
  hosts: Hosts,
  { args, doing }: Context,
  { suite, cells, limit, runtimes, interrupts }: Measured,
): Promise<LatencyRecord | null> {
  const started = performance.now();
  const startedAt = new Date().toISOString();
  const open = await inspectGenerator(GENERATORS["oha"]!, "open loop", hosts.load);
  const durationMs = args.get("duration")!;
  const seed = args.get("seed") ?? Date.now() % 2 ** 32;
  const grade = await gradeOn(hosts);
  const equipment = await equip({ generator: "wrk", threads: null }, placementWishFrom(args), runtimes, hosts);
  const made: LatencyCell[] = [];
  for (const cell of cells) {
    if (interrupts.stopped()) break;
    made.push(
      await conductLatency({
        suite,
        cell,
        open,
        rate: (args.get("rate") as number | undefined) ?? null,
        limit,
        rounds: args.get("rounds")!,
        durationMs,
        seed,
        dataDirectory: dataDirectory(args),
        interrupts,
        say: doing,
      }, equipment),
    );
  }
  doing(null);
  if (interrupts.stopped()) return null;
  const { serverCpus, loadCpus } = equipment.placement;
  return {
    schema: "levelfield.latency/1",
    started_at: startedAt,
    wall_ms: performance.now() - started,
    seed,
    duration_ms: durationMs,
    cpu_kind: (await hosts.server.facts()).machine.cpu_kind,
    grade: grade.grade,
    server_cpus: serverCpus && [...serverCpus],
    load_cpus: loadCpus && [...loadCpus],
    generators: [open, equipment.wrk].map(describeTool),
    ...(await describeHosts(hosts)),
    limit: limit.text,
    cells: made,
  };
}
