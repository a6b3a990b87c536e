import { shellQuoted } from "../basics/shell.ts";
import { readFileSync } from "node:fs";
import type { Point, Suite } from "../../suites/suite.ts";
import { errorLine } from "../basics/error-line.ts";
import { EXIT, type ExitCode, failure, usageError } from "../basics/errors.ts";
import { exampleRequest } from "../plan/example-request.ts";
import { pointText } from "../plan/points.ts";
import { listenForInterrupts } from "../machine/interrupts.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import { hostsHere } from "../observe/equip.ts";
import { prepareFiles } from "../observe/prepare-files.ts";
import { within } from "../machine/clock.ts";
import { startServer, stopServer } from "../process/start-server.ts";
import { printable } from "../report/align.ts";
import { preparingText } from "../report/progress.ts";
import { bindSuite, requireAnswers } from "../engine/conductor.ts";
import { cellsFrom } from "../options/axis-values.ts";
import { type Context, dataDirectory, preparingSite } from "./context.ts";
import { sayConfig } from "./measure.ts";
import { chosenSuite } from "../options/suites.ts";

/** The time until a Ctrl-C that ended the server arrives here, in ms. */
const HEARD_MS = 1_000;

/** `bench serve`: the server of one point on loopback until Ctrl-C, with a copy of its files that it may change. */
export async function serveCommand(context: Context): Promise<ExitCode> {
  const { args, printLine, say, sayLine } = context;
  const loaded = chosenSuite(args, context.suites);
  const port = args.get("port")!;
  const { suite, point, runtimes } = await pointFrom(context, loaded);
  sayConfig(context, loaded);
  const interrupts = listenForInterrupts();
  try {
    const files = suite.files?.(point) ?? null;
    const prepared = await prepareFiles({
      dataDirectory: dataDirectory(args),
      specs: files === null ? [] : [files],
      onStart: interrupts.onStart,
      onEvent: (event) => event.event === "progress" && say(preparingText(event)),
    });
    if (interrupts.stopped()) return EXIT.interrupted;
    const directory = files === null ? null : prepared.directoryOf(files);
    if (directory === undefined) {
      throw failure(
        prepared.failed ?? "the files could not be built",
        `bench run ${shellQuoted(loaded.module ?? suite.name)}`,
      );
    }
    const spec = suite.server(point, directory);
    const named = spec.kind === "running" ? undefined : spec.runtime;
    const runtime = runtimes.find(({ label }) => label === named) ?? null;
    // A stop must not kill it: it has a copy of its files to remove.
    const server = await startServer({ spec, runtime, cpus: null, port, copy: true });
    if ("unsupported" in server) throw cannotBe(loaded, point, server.unsupported);
    if ("failed" in server) {
      throw failure(
        `suite "${suite.name}" at ${pointText(suite, point.at)}: ${server.failed.text}`,
        "mend the server, or choose another port with --port (0 takes a free one)",
      );
    }
    printLine(server.url);
    const what = runtime === null ? "" : `${runtime.name} ${runtime.version} serves `;
    say(`${what}suite "${suite.name}" at ${pointText(suite, point.at)}`);
    // Its quotes may hold spaces, so it stays on one line.
    sayLine(`try: ${curlOf(server.url, suite, point)}`);
    const { process: child } = server;
    // Another user's server is not ended here.
    if (child === null) return EXIT.done;
    say("stop with Ctrl-C");
    await Promise.race([interrupts.stop, child.ended]);
    // Ctrl-C in a terminal reaches the server as well, and its end may be heard of before the key.
    if (await within(HEARD_MS, interrupts.stop) !== "timeout") {
      await stopServer(server);
      return EXIT.interrupted;
    }
    throw failure(`the server ended by itself: ${errorLine(child.stderrTail()) ?? "no message"}`);
  } finally {
    interrupts.release();
  }
}

/** All statuses: a server that is only looked at may answer with any. */
const ANY_STATUS = Array.from({ length: 500 }, (_, n) => 100 + n);

/** The suite's probe with the values of options, and its runtimes. A user's server is started once before. */
async function pointFrom(context: Context, loaded: LoadedSuite) {
  const { draft } = loaded;
  const requests = draft?.requests.map((request) => ({ ...request, expect: ANY_STATUS }));
  const wanted = draft === undefined ? loaded : { ...loaded, draft: { ...draft, requests: requests! } };
  const cells = cellsFrom(context.args, loaded, []);
  const { suite, runtimes, cells: [at] } = requireAnswers(
    await bindSuite(preparingSite(context, hostsHere()), { loaded: wanted, cells, together: false }),
  );
  const point: Point = { suite: suite.name, at: at! };
  const answer = suite.supports?.(point) ?? true;
  if (answer !== true) throw cannotBe(loaded, point, answer);
  return { suite, point, runtimes };
}

const cannotBe = ({ suite, module }: LoadedSuite, point: Point, reason: string) =>
  usageError(
    `suite "${suite.name}" cannot be served at ${pointText(suite, point.at)}: ${reason}`,
    `bench list ${shellQuoted(module ?? suite.name)} shows what can be`,
  );

function curlOf(url: string, suite: Suite, point: Point): string {
  const firstRow = (file: string) => readFileSync(file, "utf8").split("\n", 1)[0]!;
  const { method, path, headers, body } = exampleRequest(suite.requests(point), firstRow);
  // Control characters would act on the terminal, so the command encodes them as bytes.
  const bytes = body === null || typeof body === "string" && printable(body) === body
    ? null
    : typeof body === "string"
    ? Buffer.from(body).toString("base64")
    : body.base64;
  const words = [
    ...(method === "GET" ? [] : ["-X", method]),
    ...Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
    ...(body === null ? [] : ["--data-binary", bytes === null ? body as string : "@-"]),
    `${url}${path}`,
  ];
  return (bytes === null ? "" : `printf %s ${bytes} | base64 -d | `) + ["curl", ...words.map(shellQuoted)].join(" ");
}
