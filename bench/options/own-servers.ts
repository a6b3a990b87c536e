import type { At, Suite } from "../../suites/suite.ts";
import { usageError } from "../basics/errors.ts";
import { APP_AXIS, OWN } from "../plan/own-words.ts";
import { planAxes } from "../plan/plan-parts.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import type { RuntimeBinary } from "../runtimes/runtimes.ts";
import type { Hosts } from "../observe/sample-load.ts";
import type { OwnDraft, OwnSpec } from "../record/own-spec.ts";
import type { Command } from "./commands.ts";
import { optionOf } from "./option-table.ts";
import { ownSuite } from "../apps/own-suite.ts";
import { OWN_NAMES, type OwnName } from "./own-types.ts";
import type { OwnItem } from "./draft-requests.ts";
import { draftOf, isServer, itemsGiven, ownItem } from "./read-draft.ts";
import { recordReplies } from "../apps/record-replies.ts";
import { originIn, type ReadConfig } from "./config-place.ts";
import type { Line } from "./read-line.ts";
import { requireSameModules } from "./same-modules.ts";

/** Options that go together: what is given by hand of a group stands in place of what a config says of it. */
const groupOf = (option: OwnName): OwnName => option === "requests" || option === "body" ? "request" : option;
/** How servers are reached: a config says that of its own servers. */
const OF_SERVERS: readonly OwnName[] = ["pid", "port", "ready"];

/** What of a command line decides whether servers of a config are meant. */
export interface Meant {
  /** A plan or a run is measured again. */
  readonly again: boolean;
  /** Another suite is named. */
  readonly named: boolean;
}

/** What a config says of servers of one's own. */
function itemsOfConfig(read: ReadConfig): OwnItem[] {
  return OWN_NAMES.flatMap((name) => {
    const said = name === "body" ? undefined : read.config[name];
    return said === undefined ? [] : [ownItem(name, said, originIn(read, name), read.folder)];
  });
}

/**
 * The suite that servers of one's own make: those of the command line, else those of a config where nothing else is named.
 * Null where there are none, or the command takes none.
 * @param given options of the command line in their order
 */
export function ownSuiteMeant(
  command: Command,
  given: Line["given"],
  read: ReadConfig | null,
  { again, named }: Meant,
): LoadedSuite | null {
  const takesOwn = optionOf(command, "app") !== undefined;
  const handMade = takesOwn && given.some(([option, value]) => isServer({ option }) && value !== "");
  const mayList = takesOwn || command.name === "list";
  const configured = read === null || again || !mayList ? [] : itemsOfConfig(read);
  if (!handMade && (!configured.some(isServer) || (named && command.name !== "list"))) return null;
  const kept = handMade ? configured.filter((one) => !isServer(one) && !OF_SERVERS.includes(one.option)) : configured;
  // What bench serve is told to listen on is a program's own port where there is one.
  const names = [...kept.map(({ option }) => option), ...given.map(([name]) => name)];
  const hasPort = command.name !== "serve" || names.includes("command") || names.includes("program");
  const byHand = itemsGiven(takesOwn ? given.filter(([name]) => name !== "port" || hasPort) : []);
  const groups = byHand.map(({ option }) => groupOf(option));
  const draft = draftOf([
    ...kept.filter(({ option }) => option === "header" || !groups.includes(groupOf(option))),
    ...byHand,
  ]);
  return {
    suite: ownSuite(unrecorded(draft), process.cwd()),
    module: null,
    own: draft,
    ...(handMade ? {} : { named: true }),
  };
}

/** A spec of which nothing has been started yet, for lists and help. */
export const unrecorded = (draft: OwnDraft): OwnSpec => ({
  ...draft,
  samples: [],
  asked_first: { app: draft.servers[0]!.name, runtime: null },
  refused: [],
  listed_under: null,
});

/** Who is told what happens, a line at a time. */
interface Teller {
  readonly say: (line: string) => void;
}

/** A suite whose servers, where they are one's own, have been started and asked once. */
export interface Recorded {
  readonly suite: Suite;
  /** What the suite was made from, where it is of one's own servers. */
  readonly own?: OwnSpec;
}

/**
 * A suite as it is measured: servers of one's own are started once on each runtime, where they are to run, and asked their
 * requests, and say in a line each how that went; any other suite is as it is.
 * @param servers the names of those that are measured; all by default
 */
export async function recorded(
  { say }: Teller,
  { suite, own }: LoadedSuite,
  runtimes: readonly RuntimeBinary[],
  hosts: Hosts,
  servers?: readonly string[],
): Promise<Recorded> {
  if (own === undefined) return { suite };
  const draft = servers === undefined
    ? own
    : { ...own, servers: own.servers.filter(({ name }) => servers.includes(name)) };
  const folder = process.cwd();
  const { name, title } = ownSuite(unrecorded(draft), folder);
  await requireSameModules(hosts, { suite: { name, title, module: null, own: unrecorded(draft) }, axes: [] }, folder);
  const spec = await recordReplies(draft, folder, runtimes, hosts, (line) => say(line.replaceAll("\n", " ")));
  return { suite: ownSuite(spec, folder), own: spec };
}

/**
 * The same for cells named by hand: their servers only, and the cells as the suite then has them. Throws where one of them
 * did not start, or a module of one's own is another on the servers' host.
 * @param make what asks servers of one's own
 */
export async function recordedAt(
  context: Teller,
  loaded: LoadedSuite,
  runtimes: readonly RuntimeBinary[],
  hosts: Hosts,
  cells: readonly At[],
  make: typeof recorded = recorded,
): Promise<Recorded & { readonly cells: readonly At[] }> {
  if (loaded.own === undefined) {
    const { suite, module } = loaded;
    const values = Object.fromEntries(suite.axes.map(({ name }) => [name, [...new Set(cells.map((at) => at[name]!))]]));
    const named = { suite: { name: suite.name, title: suite.title, module }, axes: await planAxes(suite, values) };
    await requireSameModules(hosts, named, process.cwd());
    return { suite, cells };
  }
  const made = await make(context, loaded, runtimes, hosts, cells.map((at) => String(at[APP_AXIS])));
  const names = made.suite.axes.map(({ name }) => name);
  const own = cells.map((at): At => Object.fromEntries(Object.entries(at).filter(([name]) => names.includes(name))));
  for (const at of own) {
    const answer = made.suite.supports?.({ suite: OWN, at }) ?? true;
    if (answer !== true) throw usageError(`"${at[APP_AXIS]}" cannot be measured: ${answer}`, "mend it, then try again");
  }
  return { ...made, cells: own };
}
