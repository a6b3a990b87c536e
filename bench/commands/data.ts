import { relative } from "node:path";
import { EXIT, type ExitCode, failure } from "../basics/errors.ts";
import { pointsOf } from "../plan/points.ts";
import { PROFILES } from "../plan/profile.ts";
import { settle } from "../options/settle.ts";
import { formatBytes, formatDurationMs } from "../basics/units.ts";
import { listenForInterrupts } from "../machine/interrupts.ts";
import { checkDataFolder } from "../runs/run-folder.ts";
import { prepareFiles } from "../observe/prepare-files.ts";
import { harmlessJson } from "../report/align.ts";
import { preparingText } from "../report/progress.ts";
import { valuesFrom } from "../options/axis-values.ts";
import { type Context, dataDirectory } from "./context.ts";
import { chosenSuite } from "../options/suites.ts";

/** `bench data`: builds the files of a suite's points, or checks those there are. */
export async function dataCommand(context: Context): Promise<ExitCode> {
  const { args, stdout, print, doing } = context;
  const { suite } = chosenSuite(args, context.suites);
  const { values } = settle(suite, { profile: PROFILES.default, given: { at: valuesFrom(args, suite) } });
  const specs = pointsOf(suite, values).points.flatMap((point) => suite.files?.(point) ?? []);
  if (specs.length > 0) checkDataFolder(dataDirectory(args));
  const interrupts = listenForInterrupts();
  try {
    const { ready, failed } = await prepareFiles({
      dataDirectory: dataDirectory(args),
      specs,
      verify: args.has("verify") ? "full" : "quick",
      onStart: interrupts.onStart,
      onEvent(event) {
        if (event.event !== "progress") doing(null);
        else if (context.stderr.isTTY) doing(preparingText(event));
        if (event.event !== "ready" || args.has("json")) return;
        const how = event.built === null
          ? "there and sound"
          : `built in ${formatDurationMs(event.buildMs)} (${event.built})`;
        const where = relative(process.cwd(), event.directory);
        print(`${event.title.padEnd(24)} ${formatBytes(event.diskBytes).padStart(9)}  ${how}  ${where}\n`);
      },
    });
    if (interrupts.stopped()) return EXIT.interrupted;
    if (failed !== null) throw failure(failed, "free some disk space or choose another folder with --data");
    if (args.has("json")) {
      const parts = ready.map(({ spec, title, directory, sha256, diskBytes, built, buildMs }) => ({
        title,
        request: spec.request,
        directory,
        sha256,
        diskBytes,
        built,
        buildMs,
      }));
      stdout.write(harmlessJson({ suite: suite.name, parts }) + "\n");
    } else if (specs.length === 0) print(`suite "${suite.name}" needs no files\n`);
    return EXIT.done;
  } finally {
    interrupts.release();
  }
}
