import { EXIT, type ExitCode, failure } from "../basics/errors.ts";
import { formatBytes, formatDurationMs } from "../basics/units.ts";
import { fromHere } from "../files/near-files.ts";
import { listenForInterrupts } from "../machine/interrupts.ts";
import { preparePoints } from "../observe/prepare-files.ts";
import { checkDataFolder } from "../runs/run-folder.ts";
import { harmlessJson } from "../report/align.ts";
import { preparingText } from "../report/progress.ts";
import type { Prepared } from "../engine/conductor.ts";
import { type Context, dataDirectory } from "./context.ts";

/** `bench run --prepare`: builds the files of a plan's servers, and hashes those that are there. */
export async function buildPlanFiles(context: Context, { plan, suite, hosts }: Prepared): Promise<ExitCode> {
  const { args, give, print, doing } = context;
  const points = [...new Map(plan.cells.map(({ point }) => [JSON.stringify(point), point])).values()];
  const needsFiles = points.some((point) => suite.files?.(point) ?? false);
  if (needsFiles) checkDataFolder(dataDirectory(args));
  const interrupts = listenForInterrupts();
  try {
    const { ready, failed } = await preparePoints({
      ...{ suite, points, hosts, dataDirectory: dataDirectory(args), verify: "full", onStart: interrupts.onStart },
      onEvent(event) {
        if (event.event !== "progress") doing(null);
        else if (context.stderr.isTTY) doing(preparingText(event));
        if (event.event !== "ready" || args.has("json")) return;
        const how = event.built === null
          ? "there and sound"
          : `built in ${formatDurationMs(event.buildMs)} (${event.built})`;
        const where = fromHere(event.directory);
        print(`${event.title.padEnd(24)} ${formatBytes(event.diskBytes).padStart(9)}  ${how}  ${where}\n`);
      },
    });
    if (interrupts.stopped()) return EXIT.interrupted;
    if (failed !== null) throw failure(failed, "free some disk space or choose another folder with --data");
    if (args.has("json")) {
      const parts = ready.map(({ event: _, spec, ...part }) => ({ ...part, request: spec.request }));
      give(harmlessJson({ suite: suite.name, parts }) + "\n");
    } else if (!needsFiles) print(`suite "${suite.name}" needs no files\n`);
    return EXIT.done;
  } finally {
    interrupts.release();
  }
}
