import type { OwnServer, OwnSpec } from "../../record/own-spec.ts";

/** The suite of one's own servers. */
export const OWN = "own";

/** The axis of one's own servers: its values come from options of their own. */
export const APP_AXIS = "app";

/**
 * Words of the command line that name some of the servers of a spec again, and what they are asked.
 * @param names which servers; all by default
 */
export function ownWords(spec: OwnSpec, names?: readonly string[]): readonly string[] {
  const servers = spec.servers.filter(({ name }) => names === undefined || names.includes(name));
  return [...servers.flatMap(serverWords), ...spec.words];
}

function serverWords(server: OwnServer): string[] {
  switch (server.kind) {
    case "app":
      return ["--app", `${server.name}=${server.module.includes("/") ? "" : "./"}${server.module}`];
    case "command":
      return [
        "--command",
        `${server.name}=${server.command.map(shellWord).join(" ")}`,
        ...(server.port === null ? [] : ["--port", String(server.port)]),
        ...(server.ready === "/" ? [] : ["--ready", server.ready]),
      ];
    case "target":
      return [
        "--target",
        `${server.name}=${server.url}`,
        ...(server.pid === null ? [] : ["--pid", String(server.pid)]),
      ];
  }
}

const shellWord = (word: string) => /^[\w@%+=:,./{}-]+$/.test(word) ? word : `"${word.replaceAll(/["\\]/g, "\\$&")}"`;
