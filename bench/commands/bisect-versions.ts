import { join } from "node:path";
import type { At } from "../../suites/suite.ts";
import { BenchError, failureOf, orElse, usageError } from "../basics/errors.ts";
import { counted } from "../basics/units.ts";
import { MOST_BISECTED } from "../record/bisection.ts";
import { planAxes } from "../plan/plan-parts.ts";
import { APP_AXIS } from "../record/cell.ts";
import { fetchRuntime } from "../runtimes/fetch-runtime.ts";
import { gitIn } from "../sources/git.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import { resolveEach, wantedText, whyNotServing } from "../sources/resolve-runtimes.ts";
import { fileSha256, type RuntimeBinary } from "../runtimes/runtimes.ts";
import { commitOf } from "../sources/merge-base.ts";
import { cellsFrom, valuesFrom } from "../options/axis-values.ts";
import { runtimeOfProject, suiteSource } from "../apps/app-source.ts";
import { parseRuntimeSpec, releasesBetween, runtimeAxisOf } from "../options/runtime-specs.ts";
import type { Hosts } from "../observe/sample-load.ts";
import { bindSuite, type BoundSuite, withServers } from "../engine/conductor.ts";
import { oneServer, putRevision, type Revised, treeOf } from "../engine/revisions.ts";
import { type Context, preparingSite, runtimeCache, workshopOf } from "./context.ts";

/** Versions in their order, and the function that prepares some of them. */
export interface Versions {
  /** The part of the question that names the served app: if it changes, the bisection starts anew. */
  readonly question: string;
  /** The good end first. */
  readonly names: readonly string[];
  /** The reason why a version cannot be measured, or null. It is called once for each. */
  whyNot(place: number): Promise<string | null>;
  /** Binds versions that are measured together, a cell each in this order, or returns the first that cannot be. */
  together(places: readonly number[], hosts: Hosts): Promise<BoundSuite | LeftOut>;
}

/** A version that cannot be measured. */
export interface LeftOut {
  readonly version: number;
  readonly reason: string;
}

const HINT = "bench bisect --good bun@1.2.10 --bad bun@1.2.19";
const HINT_REVISIONS = "bench bisect --good v1.4 --bad HEAD --app ./app.ts";

/** The versions that a command line bisects: of a runtime, or of the user's repository. Throws a usage error for others. */
export async function versionsAskedFor(context: Context, loaded: LoadedSuite, scratch: string): Promise<Versions> {
  const { args } = context;
  const [word] = args.get("among") ?? [args.get("good")];
  if (word === undefined) throw usageError("--good says from where on", HINT);
  const runtime = /^(node|deno|bun)(?=[@=]|$)/.exec(word)?.[0];
  const versions = runtime === undefined
    ? await revisionsOf(context, loaded, scratch, word)
    : await runtimesOf(context, loaded, args.get("among") ?? [word, args.get("bad") || `${runtime}@latest`]);
  const { names } = versions;
  const fault = names.length < 2
    ? "a bisection needs two versions"
    : names.length > MOST_BISECTED
    ? `${counted(names.length, "version")} are too many: at most ${MOST_BISECTED}`
    : new Set(names).size < names.length
    ? "a version stands in the list twice"
    : null;
  if (fault !== null) throw usageError(fault, "name ends that are nearer to each other");
  return versions;
}

async function runtimesOf(context: Context, loaded: LoadedSuite, words: readonly string[]): Promise<Versions> {
  const { args } = context;
  const { suite: { name: suiteName }, module, draft } = loaded;
  const cache = { ...runtimeCache(context), say: () => {} };
  const axis = runtimeAxisOf(loaded.suite);
  if (axis === undefined) throw usageError(`suite "${suiteName}" runs on no runtime of these`, HINT);
  const wanted = words.map(parseRuntimeSpec);
  const name = wanted[0]!.name;
  const other = wanted.find((spec) => spec.name !== name);
  if (other !== undefined) throw usageError(`${name} and ${other.name} have no versions between them`, HINT);
  const specs = args.has("among") ? wanted : await releasesBetween(wanted, cache.folder);
  const [shared] = cellsFrom(args, loaded, (draft === undefined ? args.words.slice(1) : args.words).slice(0, 1)) as [
    At,
  ];
  const values = Object.fromEntries(loaded.suite.axes.map(({ name }) => [name, [shared[name]!]]));
  return {
    question: JSON.stringify([
      ...[suiteName, module, suiteSource(module, process.cwd()), draft, { ...shared, [axis.name]: null }],
      // A user's module and a runtime by its path are files, which may have changed.
      (await planAxes(loaded.suite, values)).map(({ values: [value] }) => value!.facts),
      specs.map(({ source }) => source.kind === "file" ? orElse(() => fileSha256(source.file), null) : null),
    ]),
    names: specs.map(wantedText),
    async whyNot(place) {
      const spec = specs[place]!;
      // Without a network no version is skipped.
      if (spec.source.kind === "version") await fetchRuntime(name, spec.source.version, cache.folder);
      try {
        const [[runtime]] = await resolveEach([spec], cache) as [[RuntimeBinary]];
        return spec.source.kind === "file" ? await whyNotServing(runtime) : null;
      } catch (error) {
        return failureOf(error, "cannot-serve")?.facts.fault ?? (error as Error).message;
      }
    },
    async together(places, hosts) {
      const cells = places.map((place): At => ({ ...shared, [axis.name]: wantedText(specs[place]!) }));
      const bound = await bindSuite({ hosts, cache, say: context.say }, { loaded, cells });
      const labels = bound.cells.map((at) => at[axis.name]!);
      const twin = labels.findIndex((label, n) => labels.indexOf(label) !== n);
      if (twin !== -1) {
        const inner = twin < places.length - 1 ? twin : labels.indexOf(labels[twin]!);
        return { version: places[inner]!, reason: "it is the same program as another version" };
      }
      const refused = bound.origin.own?.refused[0];
      if (refused === undefined) return bound;
      return { version: places[Math.max(0, labels.indexOf(refused.runtime!))]!, reason: refused.reason };
    },
  };
}

async function revisionsOf(context: Context, loaded: LoadedSuite, scratch: string, good: string): Promise<Versions> {
  const { args } = context;
  const server = oneServer(loaded.draft, "a bisection of revisions", HINT_REVISIONS);
  const { tree, served: path } = await treeOf(server);
  const bad = args.get("bad") ?? "HEAD";
  const [first, last] = [await commitOf(tree, good), await commitOf(tree, bad)];
  if (first === last) throw usageError(`"${good}" and "${bad}" are one commit`, HINT_REVISIONS);
  const listed = await gitIn(tree.root, ["rev-list", "--first-parent", "--reverse", `${first}..${last}`]);
  const ancestor = await gitIn(tree.root, ["merge-base", "--is-ancestor", first, last]);
  if (listed.code !== 0 || ancestor.code !== 0) {
    throw usageError(`"${good}" is no ancestor of "${bad}"`, "git merge-base GOOD BAD names one");
  }
  const commits = [first, ...listed.stdout.trim().split("\n")];
  const names = commits.map((commit) => commit.slice(0, 10));
  const put = new Map<number, Revised>();
  const printed = new Set<string>();
  // Lines that are equal for all revisions are printed once.
  const say = (line: string) => void (printed.has(line) || (printed.add(line), context.say(line)));
  const workshop = { ...workshopOf(context, loaded), say };
  return {
    question: JSON.stringify([loaded.draft, commits]),
    names,
    async whyNot(place) {
      const name = names[place]!;
      const revision = { tree, served: path, ref: name, commit: commits[place]!, name };
      try {
        const served = await putRevision(server, revision, { folder: join(scratch, name), ...workshop });
        if (served === null) return "it has no such file";
        put.set(place, served.server);
        return null;
      } catch (error) {
        if (!(error instanceof BenchError)) throw error;
        return error.hint === undefined ? error.message : `${error.message} (${error.hint})`;
      } finally {
        context.doing(null);
      }
    },
    async together(places, hosts) {
      const servers = places.map((place) => put.get(place)!);
      const draft = withServers(loaded, servers);
      const at = Object.fromEntries(draft.suite.axes.map(({ name, values }) => [name, values[0]!]));
      const runtime = runtimeOfProject(join(process.cwd(), server.home ?? "."));
      const given = Object.entries(valuesFrom(args, draft.suite)).map(([name, [first]]) => [name, first!]);
      const shared: At = { ...at, runtime, ...Object.fromEntries(given) };
      const bound = await bindSuite(preparingSite(context, hosts), {
        loaded: draft,
        cells: servers.map(({ name }) => ({ ...shared, [APP_AXIS]: name })),
        revisions: true,
      });
      const other = bound.changes.find(({ status }) => status);
      const wrong = bound.origin.own!.refused[0] ?? (other && { app: other.app, reason: other.text });
      return wrong === undefined ? bound : { version: names.indexOf(wrong.app), reason: wrong.reason };
    },
  };
}
