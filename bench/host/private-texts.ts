/** What of a packed run says who made it: found before it leaves the machine. */
import { hostWords } from "./host-words.ts";

/** Whom a text could name. */
export interface Whose {
  /** Home folder; empty where there is none. */
  readonly home: string;
  readonly user: string;
  readonly host: string;
}

/** One thing that was found, and where first. */
export interface PrivateText {
  readonly what: string;
  readonly found: string;
  readonly file: string;
  readonly times: number;
}

/** Names that many machines have alike, and that say nothing of a person; as words they also name tools. */
const NOBODY = ["root", "user", "node", "deno", "bun", "runner", "ubuntu", "debian", "admin", "localhost", "builder"];

/** Shorter names of hosts stand in other words by chance. */
const LEAST_NAME = 4;

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

function patternsFor({ home, user, host }: Whose): (readonly [what: string, pattern: RegExp])[] {
  const isName = (name: string) => name !== "" && !NOBODY.includes(name.toLowerCase());
  return [
    ["a path of somebody's home folder", /(?:\/home|\/Users)\/(?!\.|$)[^/\s"\\]+/g],
    ...(home.length > 1
      ? [["the path of your home folder", new RegExp(`${escaped(home)}(?=[/"\\s:,;)]|\\\\)`, "g")] as const]
      : []),
    ...(isName(user)
      ? [["your user name", new RegExp(`(?:/${escaped(user)}(?=[/"\\s\\\\])|\\b${escaped(user)}@)`, "g")] as const]
      : []),
    ...(isName(host) && host.length >= LEAST_NAME
      ? [["this machine's name", new RegExp(`(?<![\\w.-])${escaped(host)}(?![\\w-])`, "g")] as const]
      : []),
  ];
}

/** What the ways to a run's hosts say of somebody, wherever it stands. */
const patternsOfHosts = (runJson: string | undefined) =>
  hostWords(runJson).filter(({ word }) => !NOBODY.includes(word.toLowerCase()))
    .map(({ what, word }) => [what, new RegExp(`(?<![\\w.-])${escaped(word)}(?![\\w-])`, "g")] as const);

/** What files of a run say of who made it, the same thing once. */
export function privateTexts(files: Readonly<Record<string, string>>, whose: Whose): PrivateText[] {
  const found = new Map<string, PrivateText>();
  for (const [what, pattern] of [...patternsFor(whose), ...patternsOfHosts(files["run.json"])]) {
    for (const [file, text] of Object.entries(files)) {
      for (const [own] of text.matchAll(pattern)) {
        const key = JSON.stringify([what, own]);
        const known = found.get(key);
        found.set(key, { what, found: own, file: known?.file ?? file, times: (known?.times ?? 0) + 1 });
      }
    }
  }
  return [...found.values()];
}
