import type { LoadedSuite } from "../sources/load-suite.ts";
import type { UserDraft, UserSpec } from "../record/user-spec.ts";
import type { Command } from "./commands.ts";
import { optionOf } from "./option-table.ts";
import { sendsAgent, withAgent } from "../generators/user-agent.ts";
import { userSuite } from "../apps/user-suite.ts";
import { isByHandOnly, USER_OPTIONS, type UserOption } from "./user-options.ts";
import type { UserItem } from "./draft-requests.ts";
import { draftOf, isServer, itemsGiven, userItem } from "./read-draft.ts";
import { originIn, type ReadConfig } from "./config.ts";
import type { CommandLine } from "./read-line.ts";

/** The group of an option: options of a group that are given by hand replace those of a config. */
const groupOf = (option: UserOption): UserOption => ["requests", "body", "first"].includes(option) ? "request" : option;
/** Options that say how servers are reached. Those of a config belong to the servers of the config. */
const OF_SERVERS: readonly UserOption[] = ["pid", "port", "ready"];

const itemsOfConfig = (read: ReadConfig): UserItem[] =>
  USER_OPTIONS.flatMap((name) => {
    const entry = isByHandOnly(name) ? undefined : read.config[name];
    return entry === undefined ? [] : [userItem(name, entry, originIn(read, name), read.folder)];
  });

/**
 * The suite of the user's servers: those of the command line, else those of a config if no other suite is named.
 * Null where there are none, or the command takes none.
 * @param given options of the command line in their order
 * @param again true if a stored plan or run is measured
 * @param named true if the command line names another suite
 */
export function userSuiteMeant(
  command: Command,
  given: CommandLine["given"],
  read: ReadConfig | null,
  { again, named }: { readonly again: boolean; readonly named: boolean },
): LoadedSuite | null {
  const takesUserApp = optionOf(command, "app") !== undefined;
  const handMade = takesUserApp && given.some(([option, value]) => isServer({ option }) && value !== "");
  const mayList = takesUserApp || command.name === "list";
  const configured = read === null || again || !mayList ? [] : itemsOfConfig(read);
  if (!handMade && (!configured.some(isServer) || (named && command.name !== "list"))) return null;
  const kept = handMade ? configured.filter((one) => !isServer(one) && !OF_SERVERS.includes(one.option)) : configured;
  // The port of bench serve is that of the program, if there is one.
  const names = [...kept.map(({ option }) => option), ...given.map(([name]) => name)];
  const hasPort = command.name !== "serve" || names.includes("command") || names.includes("program");
  const byHand = itemsGiven(takesUserApp ? given.filter(([name]) => name !== "port" || hasPort) : []);
  const groups = byHand.map(({ option }) => groupOf(option));
  const draft = draftOf([
    ...kept.filter(({ option }) => option === "header" || !groups.includes(groupOf(option))),
    ...byHand,
  ]);
  const asked = [read?.config.protocol, read?.config.generator].flat()
    .concat(given.flatMap(([name, value]) => SPEAKING.includes(name) ? String(value).split(",") : []));
  const sent = asked.some((name) => name !== undefined && sendsAgent(name)) ? withAgentOf(draft) : draft;
  return {
    suite: userSuite(unrecorded(sent), process.cwd()),
    module: null,
    draft: sent,
    ...(handMade ? {} : { named: true }),
  };
}

/** Options that decide which generator sends the requests. */
const SPEAKING: readonly string[] = ["protocol", "generator"];

/** A draft whose requests have the user agent that their generator sends, so that they are recorded with it. */
const withAgentOf = (draft: UserDraft): UserDraft => ({
  ...draft,
  requests: draft.requests.map((request) => ({ ...request, headers: withAgent(request.headers) })),
});

/** A spec of which nothing has been started yet, for lists and help. */
export const unrecorded = (draft: UserDraft): UserSpec => ({
  ...draft,
  samples: [],
  asked_first: { app: draft.servers[0]!.name, runtime: null },
  refused: [],
  starts: [],
  listed_under: null,
});
