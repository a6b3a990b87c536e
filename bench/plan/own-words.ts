import { shellQuoted } from "../basics/shell.ts";
import type { UserServer, UserSpec } from "../record/user-spec.ts";

/** The suite of one's own servers. */
export const OWN = "own";

/** The axis of one's own servers: its values come from options of their own. */
export const APP_AXIS = "app";

/**
 * Words of the command line that name some of the servers of a spec again, and what they are asked.
 * @param names which servers; all by default
 */
export function ownWords(spec: UserSpec, names?: readonly string[]): readonly string[] {
  const servers = spec.servers.filter(({ name }) => names === undefined || names.includes(name));
  return [...servers.flatMap((server) => serverWords(server, servers.length === 1)), ...askedWords(spec.words)];
}

/** Options and their values in turn; a value that looks like an option stands in one word with its own. */
const askedWords = (words: readonly string[]) =>
  words.flatMap((word, n) => {
    if (n % 2 === 1) return word.startsWith("-") ? [] : [word];
    const value = words[n + 1];
    return value?.startsWith("-") ? [`${word}=${value}`] : [word];
  });

/** @param only a program's port is said of one alone: of several each is found again by looking */
function serverWords(server: UserServer, only: boolean): string[] {
  switch (server.kind) {
    case "app":
      return server.listens === undefined ? ["--app", `${server.name}=${pathOf(server.module)}`] : [
        "--program",
        `${server.name}=${[pathOf(server.module), ...server.listens.args].map(shellQuoted).join(" ")}`,
        ...placeWords(only ? server.listens : { ...server.listens, port: null }),
      ];
    case "command":
      return [
        "--command",
        `${server.name}=${server.command.map(shellQuoted).join(" ")}`,
        ...placeWords(server),
      ];
    case "target":
      return [
        "--target",
        `${server.name}=${server.url}`,
        ...(server.pid === null ? [] : ["--pid", String(server.pid)]),
      ];
  }
}

const pathOf = (module: string) => module.includes("/") ? module : `./${module}`;

const placeWords = ({ port, ready }: { readonly port: number | null; readonly ready: string }) => [
  ...(port === null ? [] : ["--port", String(port)]),
  ...(ready === "/" ? [] : ["--ready", ready]),
];
