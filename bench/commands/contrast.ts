import { relative } from "node:path";
import type { At, Suite } from "../../suites/suite.ts";
import { MAIN } from "../record/cell.ts";
import { EXIT, type ExitCode, usageError } from "../basics/errors.ts";
import { probeOf } from "../core/points.ts";
import { GENERATORS } from "../generators/registry.ts";
import { listenForInterrupts } from "../host/interrupts.ts";
import type { LoadedSuite } from "../host/load-suite.ts";
import { withMachine } from "../host/with-machine.ts";
import type { RuntimeBinary } from "../host/runtimes.ts";
import { checkResultsFolder } from "../host/run-folder.ts";
import { writeRecord } from "../host/write-record.ts";
import { conductContrast } from "../observe/conduct-contrast.ts";
import { onHosts } from "../observe/connect-hosts.ts";
import { equip } from "../observe/equip.ts";
import type { Hosts } from "../observe/sample-load.ts";
import { contrastText } from "../report/contrast-table.ts";
import { harmlessJson } from "../report/harmless.ts";
import { oneValueEach } from "../input/axis-values.ts";
import { cellFrom } from "../input/cell-operand.ts";
import { configLine } from "../input/config-meant.ts";
import { type Context, dataDirectory, resultsDirectory, runtimesDirectory } from "./context.ts";
import { hostsWishFrom, placementWishFrom } from "../input/wishes.ts";
import { recordedAt } from "../input/own-servers.ts";
import { bindRuntimes } from "../input/runtime-wishes.ts";
import { chosenSuite, isNamed } from "../input/suites.ts";

/** `bench contrast [suite] [cell]`: the same warm server under each load generator there is. */
export async function contrastCommand(context: Context): Promise<ExitCode> {
  const { args } = context;
  const [first, second] = args.words;
  const named = second !== undefined || context.suites.some((each) => isNamed(each, first));
  const loaded = chosenSuite(args, context.suites, named ? first ?? null : null);
  const { suite: meant } = loaded;
  const cell = named ? second : first;
  const asked: At = {
    ...probeOf(meant),
    ...oneValueEach(args, meant),
    ...(cell === undefined ? {} : cellFrom(loaded, cell)),
  };
  const { runtimes, bound } = await bindRuntimes(meant, valuesOf(meant, asked), runtimesDirectory(args));
  const wanted = { loaded, asked: bound(asked), runtimes };
  return await onHosts(hostsWishFrom(args), (hosts) => contrastOn(hosts, context, wanted));
}

/** The cell that is measured. */
interface Wanted {
  readonly loaded: LoadedSuite;
  readonly asked: At;
  readonly runtimes: readonly RuntimeBinary[];
}

async function contrastOn(hosts: Hosts, context: Context, { loaded, asked, runtimes }: Wanted): Promise<ExitCode> {
  const { args, stdout, outStyle, columns, print, say, doing } = context;
  const { suite, own, cells: [at] } = await recordedAt(context, loaded, runtimes, hosts, [asked]);
  const point = { suite: suite.name, at: { ...at! } };
  const supported = suite.supports?.(point) ?? true;
  if (supported !== true) throw usageError(`suite "${suite.name}" cannot measure this cell: ${supported}`);
  const configured = configLine(context, loaded);
  if (configured !== undefined) say(configured);
  const only = (args.get("generator") as string[] | undefined) ?? Object.keys(GENERATORS);
  const results = resultsDirectory(args);
  checkResultsFolder(results);
  const interrupts = listenForInterrupts();
  return await withMachine(interrupts, async () => {
    const equipment = await equip({ generator: "wrk", threads: null }, placementWishFrom(args), runtimes, hosts);
    const made = await conductContrast({
      suite,
      cell: { point, label: MAIN },
      // What the others are held against.
      names: [...new Set(["wrk", ...only])],
      rounds: args.get("rounds")!,
      durationMs: args.get("duration")!,
      seed: args.get("seed") ?? Date.now() % 2 ** 32,
      dataDirectory: dataDirectory(args),
      interrupts,
      say: doing,
    }, equipment);
    const record = own === undefined ? made : { ...made, own };
    doing(null);
    if (interrupts.stopped()) return EXIT.interrupted;
    const file = writeRecord(results, "contrast", record.started_at, record);
    if (args.has("json")) stdout.write(harmlessJson(record) + "\n");
    else print(contrastText(record, outStyle, columns));
    say(`recorded in ${relative(process.cwd(), file) || file}`);
    const sound = record.observations.every(({ status }) => status === "ok") &&
      record.rows.every((row) => row.sound > 0);
    return sound ? EXIT.done : EXIT.invalid;
  });
}

const valuesOf = (suite: Suite, at: At) => Object.fromEntries(suite.axes.map(({ name }) => [name, [at[name]!]]));
