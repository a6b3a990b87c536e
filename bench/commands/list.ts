import { RUNTIME_NAMES } from "../../servers/runtime.ts";
import type { Suite } from "../../suites/suite.ts";
import { EXIT, type ExitCode } from "../basics/errors.ts";
import { planAxes } from "../plan/plan-parts.ts";
import { inOrder, pointsOf, pointText } from "../plan/points.ts";
import { PROFILES } from "../plan/profile.ts";
import { runtimeVersions } from "../runtimes/runtimes.ts";
import { counted } from "../basics/units.ts";
import { GENERATOR_NAMES } from "../record/ranges.ts";
import { aligned } from "../report/align.ts";
import type { Style } from "../report/style.ts";
import type { Context } from "./context.ts";
import { chosenSuite } from "../options/suites.ts";

/** `bench list`: all names for the command line; with a suite, its axes, values and presets. */
export async function listCommand(context: Context): Promise<ExitCode> {
  const { args, show, outStyle } = context;
  if (args.words.length > 0) return await listSuite(context, chosenSuite(args, context.suites).suite);
  const versions = await runtimeVersions();
  const suites = context.suites.map(({ suite }) => suite);
  const record = {
    suites: args.has("json") ? await Promise.all(suites.map(suiteRecord)) : [],
    runtimes: RUNTIME_NAMES.map((name) => ({ name, version: versions.get(name) ?? null })),
    profiles: Object.values(PROFILES),
    generators: GENERATOR_NAMES,
  };
  show(record, () =>
    [
      section(outStyle, "Suites", suites.map(({ name, title }) => [name, title])),
      section(outStyle, "Runtimes", record.runtimes.map(({ name, version }) => [name, version ?? "not installed"])),
      section(outStyle, "Profiles", record.profiles.map(({ name, title }) => [name, title])),
      section(outStyle, "Load generators", GENERATOR_NAMES.map((name) => [name])),
      `"bench list <suite>" has the axes, values and presets of a suite\n`,
    ].join(""));
  return EXIT.done;
}

async function listSuite({ show, outStyle }: Context, suite: Suite): Promise<ExitCode> {
  const record = await suiteRecord(suite);
  const presets = Object.entries(record.presets).map(([name, { title }]) => [name, title]);
  const unsupported = record.unsupported.map(({ at, reason }) => [pointText(suite, at), reason]);
  show(record, () =>
    [
      `${outStyle.bold(suite.name)}: ${suite.title}\n${counted(record.points, "point")} by default\n`,
      ...record.axes.map(({ option, title, role, help, values, defaults }) => {
        const rows = values.map(({ value, text, facts }) => {
          return [text, defaults.includes(value) ? "" : "on request", factsText(facts)];
        });
        return section(outStyle, `--${option}: ${title} (${role})`, rows, help);
      }),
      presets.length > 0 ? section(outStyle, "Presets (--preset)", presets) : "",
      unsupported.length > 0 ? section(outStyle, "Unsupported", unsupported) : "",
    ].join(""));
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

function section(style: Style, title: string, rows: readonly (readonly string[])[], help?: string): string {
  const lines = aligned(rows, () => true).map((line) => `  ${line}`);
  return [style.bold(title), ...(help === undefined ? [] : [style.dim(`  ${help}`)]), ...lines, ""].join("\n");
}
