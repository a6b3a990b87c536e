import type { LoadedSuite } from "../sources/load-suite.ts";
import type { UserDraft, UserSpec } from "../record/user-spec.ts";
import type { Command } from "./commands.ts";
import { optionOf } from "./option-table.ts";
import { ownSuite } from "../apps/own-suite.ts";
import { OWN_NAMES, type OwnName } from "./own-types.ts";
import type { OwnItem } from "./draft-requests.ts";
import { draftOf, isServer, itemsGiven, ownItem } from "./read-draft.ts";
import { originIn, type ReadConfig } from "./config-place.ts";
import type { Line } from "./read-line.ts";

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
export const unrecorded = (draft: UserDraft): UserSpec => ({
  ...draft,
  samples: [],
  asked_first: { app: draft.servers[0]!.name, runtime: null },
  refused: [],
  listed_under: null,
});
