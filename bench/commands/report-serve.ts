import { realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { EXIT, type ExitCode, failure, orElse } from "../basics/errors.ts";
import { serveFolder } from "../files/folder-server.ts";
import { listenForInterrupts } from "../machine/interrupts.ts";
import { findExplanations } from "../runs/find-explanations.ts";
import { readPublishedRun } from "../runs/published-run.ts";
import { listRuns } from "../runs/read-run.ts";
import { makePage } from "../page/make-page.ts";
import { listedRun } from "../report/listed-run.ts";
import { runsPage } from "../page/runs-page.ts";
import { pageData } from "../page/shown-run.ts";
import { type Context, resultsDirectory } from "./context.ts";

/** `bench report --serve`: the list of runs and a fresh page of each, on loopback until Ctrl-C. */
export async function serveReports({ args, stdout }: Context): Promise<ExitCode> {
  const results = resultsDirectory(args);
  const port = args.get("port")!;
  const interrupts = listenForInterrupts();
  try {
    const server = await serveFolder({ folder: results, port, pageFor: (path) => pageFor(results, path) }).catch(
      (error) => {
        throw failure(
          `cannot listen on port ${port}: ${error.code}`,
          "bench report --serve --port 0 takes a free one",
          error,
        );
      },
    );
    stdout.write(`${server.url}  (Ctrl-C ends it)\n`);
    await interrupts.stop;
    await server.close();
    return EXIT.done;
  } finally {
    interrupts.release();
  }
}

/** The list for `/`, a run's page for `/RUN/`; anything else is a file. */
export function pageFor(results: string, path: string): string | undefined {
  if (path === "/") {
    return runsPage(
      runsInside(results).map((name) => listedRun(name, () => readPublishedRun(join(results, name)))),
    );
  }
  const name = /^\/([^/]+)\/$/.exec(path)?.[1];
  const run = name === undefined ? undefined : runsInside(results).find((known) => encodeURIComponent(known) === name);
  if (run === undefined) return undefined;
  const files = readPublishedRun(join(results, run));
  return makePage(pageData([files]), "/", findExplanations(files.path, files.run));
}

/** The runs in the folder itself: links to other folders are not followed. */
function runsInside(results: string): string[] {
  return listRuns(results).filter((name) =>
    orElse(() => realpathSync(join(results, name)).startsWith(realpathSync(results) + sep), false)
  );
}
