import { EXIT, type ExitCode, usageError } from "../basics/errors.ts";
import { expectedLoadMs } from "../plan/schedule.ts";
import type { ComparedRun } from "../result/compare-runs.ts";
import { comparedRun } from "../result/published.ts";
import { reproductionOf } from "../result/reproduction.ts";
import { formatDurationMs } from "../basics/units.ts";
import { REFERENCE } from "../runs/find-reference.ts";
import { readRun } from "../runs/read-run.ts";
import { onHosts } from "../observe/connect-hosts.ts";
import { differencesText, environmentLines } from "../report/comparison-table.ts";
import { printable } from "../report/align.ts";
import type { Style } from "../report/style.ts";
import { prepareAgain } from "../engine/conductor.ts";
import { type Context, preparingSite, runFolder, trustFrom } from "./context.ts";
import { measureRun } from "./measure.ts";
import { placeOptions } from "../options/option-table.ts";
import { commandNamed } from "../options/read-line.ts";
import { cpuOptionsFrom, hostOptionsFrom } from "../options/settle.ts";
import { trustedPlan } from "../options/trusted-plan.ts";
import { planOfRun } from "../options/stored-plan.ts";

/** `bench reproduce RUN`: measures a published run's plan here and compares the outcomes. Exit 0 or 3. */
export async function reproduceCommand(context: Context): Promise<ExitCode> {
  const { args, say } = context;
  if (args.get("with") !== undefined) {
    const place = placeOptions(commandNamed("reproduce")!).find(({ name }) => args.from(name) === "flag");
    if (place !== undefined) {
      throw usageError(`--with measures nothing, so --${place.name} has no meaning`, "leave one of them out");
    }
  }
  const published = wholeRun(runFolder(context, args.words[0] ?? REFERENCE));
  const repeated = args.get("with") === undefined
    ? await repeat(context, published)
    : wholeRun(runFolder(context, args.get("with")));
  if (repeated === undefined) return EXIT.interrupted;

  const reproduction = reproductionOf(published, repeated);
  context.show(reproduction, () => reproductionText(reproduction, context.outStyle));
  if (args.get("with") === undefined) {
    say(`compare again with: bench reproduce --with ${repeated.run.run}`);
  }
  return reproduction.reproduced ? EXIT.done : EXIT.invalid;
}

function reproductionText(
  { comparisons, shapes, environment, sentence }: ReturnType<typeof reproductionOf>,
  style: Style,
): string {
  const compared = comparisons.filter(({ outcome }) => outcome !== "unknown");
  const changes = environmentLines(environment, 20).map((text) => `  ${printable(text)}`);
  return [
    ...compared.flatMap(({ family, over, under, outcome, theirs, ours }) => {
      const paint = outcome === "same" ? style.green : outcome === "opposite" ? style.red : style.yellow;
      const [title, from, to] = [`${family}: ${over} | ${under}`, theirs, ours].map(printable);
      return [`${paint(outcome.padEnd(10))} ${title}`, `    theirs ${from}`, `    ours   ${to}`];
    }),
    ...shapes.map((shape) => `${style.red("shape")} ${printable(shape)}`),
    ...(environment.length === 0
      ? ["The environments are the same."]
      : [`${differencesText(environment)}, any of which may explain differences:`, ...changes]),
    style.bold(printable(sentence)),
  ].map((line) => `${line}\n`).join("");
}

function wholeRun(path: string): ComparedRun & { readonly path: string } {
  const { run, lines } = readRun(path);
  return { path, ...comparedRun(run, lines, undefined) };
}

async function repeat(context: Context, { run, path }: ReturnType<typeof wholeRun>): Promise<ComparedRun | undefined> {
  const { args, say } = context;
  const stored = trustedPlan(planOfRun(run, path), trustFrom(context));
  say(`Repeating run ${run.run}: at least ${formatDurationMs(expectedLoadMs(stored.plan))}`);
  const finished = await onHosts(hostOptionsFrom(args), async (hosts) => {
    // A plan of several workers is somebody's: where there are too few cores its cells are marked.
    const wish = { ...cpuOptionsFrom(args), forceWorkers: true };
    return await measureRun(context, await prepareAgain(preparingSite(context, hosts), stored, wish));
  });
  return finished.run.state === "interrupted" ? undefined : wholeRun(finished.folder);
}
