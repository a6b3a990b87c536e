import { RUNTIME_NAMES } from "../../servers/runtime.ts";
import { idMaker } from "../../stores/dataset/user-at.ts";
import { STORE_NAMES } from "../../stores/registry.ts";
import type { OptionName } from "../args/options.ts";
import { unknownName } from "../args/read-args.ts";
import { EXIT, type ExitCode, failure, usageError } from "../core/errors.ts";
import { listenForInterrupts } from "../host/interrupts.ts";
import { inspectRuntime } from "../host/runtimes.ts";
import { preparingText } from "../report/progress.ts";
import { prepareData } from "../trial/prepare-data.ts";
import { startServer, stopServer } from "../trial/server-process.ts";
import { type Context, dataDirectory } from "./context.ts";
import { DEFAULT_DATA_SEED, engineFrom, namesFrom, numberFrom, sizesFrom } from "./plan-from-args.ts";

const DEFAULT_PORT = 8080;
const DEFAULT_SIZE = 10_000;

/** `bench serve`: one cell's server on loopback until Ctrl-C, over a copy of its data, so it may be written to. */
export async function serveCommand(context: Context): Promise<ExitCode> {
  const { args, stdout, stderr } = context;
  const one = <T extends string>(option: OptionName, names: T[] | undefined, otherwise: T): T => {
    if (names !== undefined && names.length > 1) {
      throw usageError(`"bench serve" serves one cell, --${option} names ${names.length}`, `give one`);
    }
    return names?.[0] ?? otherwise;
  };
  const runtimeName = one("runtime", namesFrom(args, "runtime", "runtime", RUNTIME_NAMES), "node");
  const store = one("store", namesFrom(args, "store", "store", STORE_NAMES), "map");
  const sizes = sizesFrom(args) ?? [DEFAULT_SIZE];
  if (sizes.length > 1) throw usageError(`"bench serve" serves one cell, --size names ${sizes.length}`, "give one");
  const size = sizes[0]!;
  const app = args.value("app") ?? "users";
  if (app !== "users" && app !== "bare") throw unknownName("app", app, ["users", "bare"]);
  const port = numberFrom(args, "port", 0, 65_535) ?? DEFAULT_PORT;
  const seed = numberFrom(args, "data-seed", 0, 2 ** 32 - 1) ?? DEFAULT_DATA_SEED;
  const engine = engineFrom(args);
  const runtime = await inspectRuntime(runtimeName);

  const interrupts = listenForInterrupts();
  try {
    const request = { runtime, app, cpus: null, port, copy: true } as const;
    let server;
    if (app === "bare") server = await startServer(request);
    else {
      const data = await prepareData({
        dataDirectory: dataDirectory(args),
        seed,
        sizes: [size],
        stores: [store],
        onStart: interrupts.onStart,
        onEvent(event) {
          if (event.event === "users" || event.event === "store") stderr.write(preparingText(event) + "\n");
        },
      });
      if (interrupts.stopped()) return EXIT.interrupted;
      const part = data.parts.find((candidate) => candidate.part === store);
      if (part === undefined) throw failure(data.failed ?? "the data could not be built", `bench data --size ${size}`);
      server = await startServer({ ...request, store: { name: store, directory: part.directory, engine } });
    }
    if ("failed" in server) {
      throw failure(server.failed.message, `choose another port with --port, or 0 for a free one`);
    }
    stdout.write(`${server.ready.url}\n`);
    const example = app === "users" ? `${server.ready.url}/users/${idMaker(seed)(0)}` : `${server.ready.url}/health`;
    stderr.write(`${runtimeName} ${runtime.version} serves ${app === "users" ? `${store}, ${size} users` : "bare"}\n`);
    stderr.write(`try: curl ${example}\nstop with Ctrl-C\n`);
    const ended = await Promise.race([interrupts.stop.then(() => null), server.child.ended]);
    if (ended === null) {
      await stopServer(server.child);
      return EXIT.interrupted;
    }
    throw failure(`the server ended by itself: ${server.child.stderrTail().split("\n").at(-1) || "no message"}`);
  } finally {
    interrupts.release();
  }
}
