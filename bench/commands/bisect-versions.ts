import { join } from "node:path";
import type { At, Suite } from "../../suites/suite.ts";
import { failure, usageError } from "../basics/errors.ts";
import { counted } from "../basics/units.ts";
import { MOST_BISECTED } from "../record/bisection.ts";
import type { OwnSpec } from "../record/own-spec.ts";
import { pointText, probeOf } from "../core/points.ts";
import { compareVersions } from "../core/versions.ts";
import { fetchRuntime } from "../host/fetch-runtime.ts";
import { gitIn } from "../host/git.ts";
import type { LoadedSuite } from "../host/load-suite.ts";
import { resolveEach, versionsOf, whyNotServing } from "../host/resolve-runtimes.ts";
import type { RuntimeBinary, RuntimeWish } from "../host/runtimes.ts";
import { commitOf } from "../host/work-tree.ts";
import { oneValueEach, valuesFrom } from "../input/axis-values.ts";
import { cellFrom } from "../input/cell-operand.ts";
import { recorded, unrecorded } from "../input/own-servers.ts";
import { runtimeOfProject } from "../input/own/own-runtime.ts";
import { ownSuite } from "../input/own/own-suite.ts";
import { bindRuntimes, parseRuntimeWish, runtimeAxisOf } from "../input/runtime-wishes.ts";
import { APP_AXIS } from "../core/own/own-words.ts";
import type { Hosts } from "../observe/sample-load.ts";
import { oneServer, putRevision, treeOf } from "./base-and-head.ts";
import { type Context, runtimeCache } from "./context.ts";
import { recordRevisions } from "./record-revisions.ts";

/** Some versions that are ready to be measured together, each at a point of its own. */
export interface ReadyVersions {
  readonly suite: Suite;
  readonly own?: OwnSpec;
  readonly runtimes: readonly RuntimeBinary[];
  /** In the order they were asked for. */
  readonly points: readonly At[];
}

/** Versions in an order, and how some of them are made ready. */
export interface Versions {
  /** What is asked of them, in words. */
  readonly question: string;
  /** The good end first. */
  readonly names: readonly string[];
  /** Gives what it takes to measure versions together, or why one of them cannot be. */
  ready(places: readonly number[], hosts: Hosts): Promise<ReadyVersions | LeftOut>;
}

/** A version that cannot be measured. */
export interface LeftOut {
  readonly version: number;
  readonly reason: string;
}

const HINT = "bench bisect --good bun@1.2.10 --bad bun@1.2.19";

/** The versions that a command line bisects: of a runtime, or of one's own repository. */
export async function versionsAskedFor(context: Context, loaded: LoadedSuite, scratch: string): Promise<Versions> {
  const { args } = context;
  const [good, among] = [args.get("good"), args.get("among")];
  if (good === undefined && among === undefined) throw usageError("--good says from where on", HINT);
  const words = among ?? [good!, args.get("bad") ?? ""];
  const isRuntime = (word: string) => /^(node|deno|bun)([@=]|$)/.test(word);
  return isRuntime(words[0]!)
    ? await runtimesOf(context, loaded, words)
    : await revisionsOf(context, loaded, scratch, good!);
}

async function runtimesOf(context: Context, loaded: LoadedSuite, words: readonly string[]): Promise<Versions> {
  const { args } = context;
  const cache = { ...runtimeCache(context), tell: () => {} };
  const axis = runtimeAxisOf(loaded.suite);
  if (axis === undefined) throw usageError(`suite "${loaded.suite.name}" runs on no runtime of these`, HINT);
  const wishes = args.has("among") ? words.map(parseRuntimeWish) : await wishesBetween(words, cache.folder);
  const [{ name }] = wishes as [RuntimeWish];
  const other = wishes.find((wish) => wish.name !== name);
  if (other !== undefined) throw usageError(`${name} and ${other.name} have no versions between them`, HINT);
  const text = ({ source }: RuntimeWish) =>
    source.kind === "version" ? `${name}@${source.version}` : source.kind === "file" ? `${name}=${source.file}` : name;
  const [cell] = loaded.own === undefined ? args.words.slice(1) : args.words;
  const shared = {
    ...probeOf(loaded.suite),
    ...oneValueEach(args, loaded.suite),
    ...(cell === undefined ? {} : cellFrom(loaded, cell)),
  };
  const tried = new Map<number, string | null>();
  const whyNot = async (place: number): Promise<string | null> => {
    const { source } = wishes[place]!;
    // Without a network nothing is stepped over.
    if (source.kind === "version") await fetchRuntime(name, source.version, cache.folder);
    try {
      const [[runtime]] = await resolveEach([wishes[place]!], cache) as [[RuntimeBinary]];
      return source.kind === "file" ? await whyNotServing(runtime) : null;
    } catch (error) {
      return (error as Error).message.replace(/^\S+ cannot serve here: /, "");
    }
  };
  return {
    question: `${loaded.suite.name} at ${pointText(loaded.suite, without(shared, axis.name))} ${ownText(loaded)}`,
    names: wishes.map(text),
    async ready(places, hosts) {
      for (const version of places) {
        if (!tried.has(version)) tried.set(version, await whyNot(version));
        const reason = tried.get(version);
        if (reason) return { version, reason };
      }
      const each = await resolveEach(places.map((place) => wishes[place]!), cache);
      const runtimes = each.map(([runtime]) => runtime!);
      const twin = runtimes.findIndex((runtime, n) => runtimes.indexOf(runtime) !== n);
      if (twin !== -1) return { version: inner(places, twin), reason: "it is the same program as another version" };
      const { suite, own } = await recorded(context, loaded, runtimes, hosts);
      const refused = own?.refused[0];
      if (refused !== undefined) {
        const place = runtimes.findIndex(({ label }) => label === refused.runtime);
        return { version: places[Math.max(0, place)]!, reason: refused.reason };
      }
      const known = suite.axes.map((one) => one.name);
      const at = Object.fromEntries(Object.entries(shared).filter(([one]) => known.includes(one)));
      const points = runtimes.map(({ label }) => ({ ...at, [axis.name]: label }));
      return { suite, ...(own === undefined ? {} : { own }), runtimes, points };
    },
  };
}

/** Of two versions that are one, the one between the ends. */
const inner = (places: readonly number[], place: number) =>
  place === places.length - 1 ? places[Math.max(0, place - 1)]! : places[place]!;

const without = (at: At, axis: string): At => Object.fromEntries(Object.entries(at).filter(([name]) => name !== axis));

const ownText = ({ own, module }: LoadedSuite) => own === undefined ? module ?? "" : JSON.stringify(own);

/** Every release between two, in the direction of the second. */
async function wishesBetween([good, bad]: readonly string[], folder: string): Promise<RuntimeWish[]> {
  const { name, source } = parseRuntimeWish(good!);
  const ends: string[] = [];
  for (const [word, wish] of [[good, { name, source }], [bad, parseRuntimeWish(bad || `${name}@latest`)]] as const) {
    if (wish.name !== name) throw usageError(`"${good}" and "${bad}" have no versions between them`, HINT);
    if (wish.source.kind === "version") ends.push(wish.source.version);
    else if (wish.source.kind === "asked") ends.push((await versionsOf(name, wish.source.text, folder)).at(-1)!);
    else {throw usageError(
        `what lies between "${word}" and the other end is not known`,
        `--among ${name}=A,${name}=B,…`,
      );}
  }
  const forth = compareVersions(ends[0]!, ends[1]!) <= 0;
  const all = await versionsOf(name, (forth ? ends : ends.toReversed()).join(".."), folder);
  const known = [...new Set([...all, ...ends])].sort(compareVersions);
  return (forth ? known : known.toReversed()).map((version) => ({ name, source: { kind: "version", version } }));
}

async function revisionsOf(context: Context, loaded: LoadedSuite, scratch: string, good: string): Promise<Versions> {
  const { args } = context;
  const hint = "bench bisect --good v1.4 --bad HEAD --app ./app.ts";
  const server = oneServer(loaded.own, "a bisection of revisions", hint);
  const { tree, own } = await treeOf(server);
  const bad = args.get("bad") ?? "HEAD";
  const [first, last] = [await commitOf(tree, good), await commitOf(tree, bad)];
  if (first === last) throw usageError(`"${good}" and "${bad}" are one commit`, hint);
  const listed = await gitIn(tree.root, ["rev-list", "--first-parent", "--reverse", `${first}..${last}`]);
  const ancestor = await gitIn(tree.root, ["merge-base", "--is-ancestor", first, last]);
  if (listed.code !== 0 || ancestor.code !== 0) {
    throw usageError(`"${good}" is no ancestor of "${bad}"`, "git merge-base GOOD BAD names one");
  }
  const commits = [first, ...listed.stdout.trim().split("\n")];
  const names = commits.map((commit) => commit.slice(0, 10));
  const draft = loaded.own!;
  const put = new Map<number, Awaited<ReturnType<typeof putRevision>> | string>();
  const putOnce = async (place: number) => {
    const wish = { tree, own, ref: names[place]!, commit: commits[place]!, name: names[place]! };
    try {
      return await putRevision(args, server, wish, join(scratch, names[place]!), context.doing);
    } catch (error) {
      return (error as Error).message;
    }
  };
  return {
    question: `${commits[0]} to ${commits.at(-1)} of ${ownText(loaded)}`,
    names,
    async ready(places, hosts) {
      for (const version of places) {
        if (!put.has(version)) put.set(version, await putOnce(version));
        const served = put.get(version)!;
        if (served === null) return { version, reason: "it has no such file" };
        if (typeof served === "string") return { version, reason: served };
      }
      context.doing(null);
      const servers = places.map((place) => put.get(place) as NonNullable<ReturnType<typeof oneServer>>);
      const asked = { ...draft, servers };
      const folder = process.cwd();
      const before = ownSuite(unrecorded(asked), folder);
      const home = join(folder, server.home ?? ".");
      const values = Object.fromEntries(before.axes.map(({ name, values }) => [name, [values[0]!]]));
      const bound = await bindRuntimes(
        before,
        { ...values, runtime: [runtimeOfProject(home)], ...valuesFrom(args, before) },
        runtimeCache(context),
      );
      const { spec, changes } = await recordRevisions(context, asked, folder, bound.runtimes, hosts);
      const wrong = spec.refused[0] ??
        changes.filter(({ status }) => status).map(({ app, text }) => ({ app, reason: text }))[0];
      if (wrong !== undefined) return { version: names.indexOf(wrong.app), reason: wrong.reason };
      const suite = ownSuite(spec, folder);
      const at = Object.fromEntries(suite.axes.map(({ name }) => [name, bound.values[name]![0]!]));
      return {
        suite,
        own: spec,
        runtimes: bound.runtimes,
        points: servers.map(({ name }) => ({ ...at, [APP_AXIS]: name })),
      };
    },
  };
}

/** Throws a usage error for a list that cannot be bisected. */
export function refuseVersions({ names }: Versions): void {
  const fault = names.length < 2
    ? "a bisection needs two versions"
    : names.length > MOST_BISECTED
    ? `${counted(names.length, "version")} are too many: at most ${MOST_BISECTED}`
    : new Set(names).size < names.length
    ? "a version stands in the list twice"
    : null;
  if (fault !== null) throw usageError(fault, "name ends that are nearer to each other");
}

/** Why an end cannot be bisected from. */
export const lostEnd = (name: string, reason: string) =>
  failure(`the end ${name} cannot be measured: ${reason}`, "name another end: --good, --bad, or the list of --among");
