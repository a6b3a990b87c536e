import { resolve } from "node:path";
import type { ComparedModules, Suite, Value } from "../../suites/suite.ts";
import { usageError } from "../basics/errors.ts";
import { bindSuite } from "../engine/conductor.ts";
import { type Revised, type ServedPair, serverWords } from "../engine/revisions.ts";
import type { Hosts } from "../observe/sample-load.ts";
import type { Args } from "../options/args.ts";
import { valuesFrom } from "../options/axis-values.ts";
import { asMeasuredBy } from "../options/in-process.ts";
import { appOf } from "../options/read-draft.ts";
import { moduleAxesOf } from "../options/user-modules.ts";
import { optionName } from "../plan/plan-parts.ts";
import { whyNotTogether } from "../plan/why-alone.ts";
import { BASE, YOURS } from "../result/judge-gate.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import { compareModules, inspectModule } from "../sources/user-module.ts";
import { type Context, preparingSite } from "./context.ts";
import { type GateSubject, settledGate } from "./gate-subject.ts";

/** A module of functions that a gate is about. */
export interface Functions {
  readonly suite: Suite;
  /** The axis that takes modules. */
  readonly axis: ReturnType<typeof moduleAxesOf>[number];
  /** The module as what has revisions. */
  readonly server: Revised;
}

/** The functions that a command line names; null without any. Throws a usage error for several modules, and for ours. */
export async function namedFunctions({ suite, draft }: LoadedSuite, args: Args): Promise<Functions | null> {
  const axis = moduleAxesOf(suite).find(({ name }) => args.from(optionName(name)) === "flag");
  if (draft !== undefined || axis === undefined) return null;
  const named = valuesFrom(args, suite)[axis.name] ?? [];
  const option = `--${optionName(axis.name)}`;
  if (named.length !== 1) {
    throw usageError(`a gate compares one module with its base, not ${named.length}`, `${option} ./mine.ts`);
  }
  const { file } = await axis.describe?.(named[0]!) ?? {};
  if (file === undefined) throw usageError(`"${named[0]}" is no module of yours`, `${option} ./mine.ts`);
  return { suite, axis, server: appOf(YOURS, file) };
}

const fileOf = (server: Revised) => resolve(serverWords(server));

/** A suite whose contrasts, revisions and runtimes apart, are conditions: functions are not compared with each other. */
const withConditions = (suite: Suite, compared: string): Suite => ({
  ...suite,
  axes: suite.axes.map((axis) =>
    axis.name === compared || axis.binds === "runtime" ? axis : { ...axis, role: "condition" as const }
  ),
});

/** Finds out which functions of both revisions can be compared, and binds these. Throws for a module that cannot be used. */
export async function functionsOf(
  hosts: Hosts,
  context: Context,
  { suite: meant, axis, server }: Functions,
  pair: ServedPair,
  [base, yours]: readonly [base: Revised, yours: Revised],
): Promise<GateSubject> {
  const files = [fileOf(base), fileOf(yours)] as const;
  context.doing("reading both revisions' functions");
  const modules = [
    await inspectModule(axis.modules, { value: BASE, file: files[0], said: `"${serverWords(server)}" of the base` }),
    await inspectModule(axis.modules, { value: YOURS, file: files[1] }),
  ];
  const suite = withConditions(meant.withModules!(modules), axis.name);
  const args = context.args.withWords(new Map([[optionName(axis.name), [BASE, YOURS]]]));
  const settled = settledGate(args, suite, pair.home);
  const bound = await bindSuite(preparingSite(context, hosts), {
    loaded: { suite, module: null },
    settled,
    adapt: (one) => asMeasuredBy(settled.generator, one),
  });
  const compared: ComparedModules[] = [];
  for (const runtime of bound.runtimes) compared.push(await compareModules(axis.modules, runtime, files));
  context.doing(null);
  const { axis: parts } = compared[0]!;
  const { values } = bound.settled!, chosen = values[parts]!;
  const isChosen = ({ value }: { readonly value: Value }) => chosen.includes(value);
  const apart = (value: Value) => {
    const [one, other] = [BASE, YOURS].map((revision) => ({
      suite: suite.name,
      at: {
        ...Object.fromEntries(suite.axes.map(({ name }) => [name, values[name]![0]!])),
        ...{ [axis.name]: revision, [parts]: value },
      },
    }));
    return whyNotTogether(bound.suite, one!, other!);
  };
  const both = chosen.filter((value) => compared.every(({ values }) => values.includes(String(value))));
  const fit = both.filter((value) => apart(value) === null);
  const lines = (texts: readonly string[]) => [...new Set(texts)];
  const changed = lines(compared.flatMap(({ differing }) => differing.filter(isChosen).map(({ text }) => text)));
  return {
    bound,
    changed: changed.map((text) => ({ text })),
    requests: [],
    leftOut: lines([
      ...compared.flatMap(({ missing }) => missing.filter(isChosen).map(({ text }) => `Not compared: ${text}.`)),
      ...both.flatMap((value) => {
        const why = apart(value);
        return why === null ? [] : [`Not compared: ${why}.`];
      }),
    ]),
    settled: { ...settled, values: { ...values, [parts]: fit } },
    axis: axis.name,
    unfit: changed.length > 0 ? "other-results" : fit.length === 0 ? "no-function" : null,
  };
}
