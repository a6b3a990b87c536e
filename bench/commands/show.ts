import { EXIT, type ExitCode } from "../basics/errors.ts";
import { readPublishedRun } from "../runs/published-run.ts";
import { readRun } from "../runs/read-run.ts";
import { printable } from "../report/align.ts";
import { machinesText } from "../report/machine-text.ts";
import { resultsText } from "../report/results-text.ts";
import { wrapped } from "../report/wrap.ts";
import { type Context, runFolder } from "./context.ts";

/** `bench show [run]`: the answer of a run and its evidence; everything with --all, a form for other tools with --export. */
export async function showCommand(context: Context): Promise<ExitCode> {
  const { args, show, outStyle, columns } = context;
  const form = args.get("export");
  const render = form === undefined ? undefined : (await import("../exports/registry.ts")).exportNamed(form);
  const files = readPublishedRun(runFolder(context, args.words[0]));
  if (render !== undefined) {
    context.give(render(files));
    return EXIT.done;
  }
  const { path, run, summary, cells } = files;
  show({ run, summary, cells }, () => {
    const head = `${summary.answer.subject}; run ${run.run}, on ${machinesText(run)}`;
    // Only other generators than wrk, extra windows and links between hosts have lines.
    const lines = run.generator.name === "wrk" && run.hosts === undefined && run.plan.further === undefined
      ? []
      : readRun(path).lines;
    const given = { run: args.words[0], results: args.get("results") };
    const options = { style: outStyle, columns, all: args.has("all"), given };
    const shown = wrapped(printable(head), columns).map(outStyle.dim).join("\n");
    return `${shown}\n${resultsText(run, summary, cells, lines, options)}`;
  });
  return EXIT.done;
}
