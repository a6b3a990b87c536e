import { relative } from "node:path";
import { STORE_NAMES } from "../../stores/registry.ts";
import { EXIT, type ExitCode, failure } from "../core/errors.ts";
import { formatBytes, formatDurationMs, formatSize } from "../core/units.ts";
import { listenForInterrupts } from "../host/interrupts.ts";
import { preparingText } from "../report/progress.ts";
import { prepareData } from "../trial/prepare-data.ts";
import { type Context, dataDirectory } from "./context.ts";
import { DEFAULT_DATA_SEED, DEFAULT_SIZES, namesFrom, numberFrom, sizesFrom } from "./plan-from-args.ts";

/** `bench data`: builds data sets and store files, or checks those there are. */
export async function dataCommand(context: Context): Promise<ExitCode> {
  const { args, stdout, stderr } = context;
  const sizes = sizesFrom(args) ?? DEFAULT_SIZES;
  const stores = namesFrom(args, "store", "store", STORE_NAMES) ?? STORE_NAMES;
  const seed = numberFrom(args, "data-seed", 0, 2 ** 32 - 1) ?? DEFAULT_DATA_SEED;
  const interrupts = listenForInterrupts();
  try {
    const { parts, failed } = await prepareData({
      dataDirectory: dataDirectory(args),
      seed,
      sizes,
      stores,
      verify: args.has("verify") ? "full" : "quick",
      onStart: interrupts.onStart,
      onEvent(event) {
        if (event.event === "users" || event.event === "store") {
          if (stderr.isTTY) stderr.write(`\r\u001b[K${preparingText(event)}`);
        } else if (event.event === "ready" && !args.has("json")) {
          if (stderr.isTTY) stderr.write("\r\u001b[K");
          const how = event.built === null
            ? "there and sound"
            : `built in ${formatDurationMs(event.buildMs)} (${event.built})`;
          stdout.write(
            `${formatSize(event.size).padStart(5)}  ${event.part.padEnd(8)} ${
              formatBytes(event.diskBytes).padStart(9)
            }  ` +
              `${how}  ${relative(process.cwd(), event.directory)}\n`,
          );
        }
      },
    });
    if (interrupts.stopped()) return EXIT.interrupted;
    if (failed !== null) throw failure(failed, "free some disk space or choose another folder with --data");
    if (args.has("json")) stdout.write(JSON.stringify({ parts }) + "\n");
    return EXIT.done;
  } finally {
    interrupts.release();
  }
}
