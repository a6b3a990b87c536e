import { RUNTIME_NAMES } from "../../servers/runtime.ts";
import type { Suite } from "../../suites/suite.ts";
import { EXIT, type ExitCode } from "../basics/errors.ts";
import { planAxes } from "../plan/plan-parts.ts";
import { inOrder, pointsOf, pointText } from "../plan/points.ts";
import { PROFILES } from "../plan/profile.ts";
import { runtimeVersions } from "../runtimes/runtimes.ts";
import { counted } from "../basics/units.ts";
import { GENERATOR_NAMES } from "../generators/registry.ts";
import { aligned, harmlessJson } from "../report/align.ts";
import type { Context } from "./context.ts";
import { chosenSuite } from "../options/suites.ts";

/** `bench list`: all names for the command line; with a suite, its axes, values and presets. */
export async function listCommand(context: Context): Promise<ExitCode> {
  const { args, give, print } = context;
  if (args.words.length > 0) return await listSuite(context, chosenSuite(args, context.suites).suite);
  const runtimes = await runtimeVersions();
  const suites = context.suites.map(({ suite }) => suite);
  if (args.has("json")) {
    give(
      harmlessJson({
        suites: await Promise.all(suites.map(suiteRecord)),
        runtimes: RUNTIME_NAMES.map((name) => ({ name, version: runtimes.get(name) ?? null })),
        profiles: Object.values(PROFILES),
        generators: GENERATOR_NAMES,
      }) + "\n",
    );
    return EXIT.done;
  }
  section(context, "Suites", suites.map(({ name, title }) => [name, title]));
  section(context, "Runtimes", RUNTIME_NAMES.map((name) => [name, runtimes.get(name) ?? "not installed"]));
  section(context, "Profiles", Object.values(PROFILES).map((profile) => [profile.name, profile.title]));
  section(context, "Load generators", GENERATOR_NAMES.map((name) => [name]));
  print(`"bench list <suite>" has the axes, values and presets of a suite\n`);
  return EXIT.done;
}

async function listSuite(context: Context, suite: Suite): Promise<ExitCode> {
  const { args, give, outStyle, print } = context;
  const record = await suiteRecord(suite);
  if (args.has("json")) {
    give(harmlessJson(record) + "\n");
    return EXIT.done;
  }
  print(`${outStyle.bold(suite.name)}: ${suite.title}\n${counted(record.points, "point")} by default\n`);
  for (const { option, title, role, help, values, defaults } of record.axes) {
    const rows = values.map(({ value, text, facts }) => {
      return [text, defaults.includes(value) ? "" : "on request", factsText(facts)];
    });
    section(context, `--${option}: ${title} (${role})`, rows, help);
  }
  const presets = Object.entries(record.presets).map(([name, { title }]) => [name, title]);
  if (presets.length > 0) section(context, "Presets (--preset)", presets);
  const unsupported = record.unsupported.map(({ at, reason }) => [pointText(suite, at), reason]);
  if (unsupported.length > 0) section(context, "Unsupported", unsupported);
  return EXIT.done;
}

async function suiteRecord(suite: Suite) {
  const { points, unsupported } = pointsOf(
    suite,
    Object.fromEntries(suite.axes.map((axis) => [axis.name, inOrder(axis, axis.values)])),
  );
  const all = suite.axes.map(({ name, values, others = [] }) => [name, [...values, ...others]]);
  const axes = await planAxes(suite, Object.fromEntries(all));
  return {
    name: suite.name,
    title: suite.title,
    axes: axes.map(({ shown: _, ...axis }, n) => {
      const { help, values } = suite.axes[n]!;
      return { ...axis, help, defaults: values };
    }),
    presets: suite.presets ?? {},
    points: points.length,
    unsupported: unsupported.map(({ point, reason }) => ({ at: point.at, reason })),
    expectations: suite.expectations ?? [],
  };
}

function factsText({ title, caveat, ...others }: Readonly<Record<string, string | undefined>>): string {
  const rest = Object.entries(others).map(([name, fact]) => `${name} ${fact}`);
  return [title, ...rest, caveat === undefined ? undefined : `but: ${caveat}`].filter(Boolean).join("; ");
}

function section({ print, outStyle }: Context, title: string, rows: readonly (readonly string[])[], help?: string) {
  const lines = aligned(rows, () => true).map((line) => `  ${line}`);
  if (help !== undefined) lines.unshift(outStyle.dim(`  ${help}`));
  print(`${[outStyle.bold(title), ...lines].join("\n")}\n`);
}
