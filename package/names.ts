/** Names and addresses that differ between a checkout and the package made of it. */
import { posix } from "node:path";
import { COMMANDS } from "../bench/options/commands.ts";

const words = [...COMMANDS.map(({ name }) => name.split(" ")[0]!), "help"];

/** `bench` or `bin/bench` where a text names a command to type: a word of a command, an option or a placeholder follows. */
const COMMAND = new RegExp(
  String.raw`(?<![\w./-])(?:bin/)?bench(?=: measures | (?:(?:${words.join("|")}|self)\b|\$\{|--|[<…[]))`,
  "g",
);

/** A text in which commands are those of an installed package: `bench run` of a checkout is `levelfield run`. */
export const namesOfPackage = (text: string, command = "levelfield"): string => text.replaceAll(COMMAND, command);

/** The page of the project that package.json names: `https://github.com/someone/levelfield`. Throws if it names none. */
export function addressOf({ repository }: { readonly repository?: { readonly url?: string } }): string {
  const address = /^git\+(https:\/\/.+)\.git$/.exec(repository?.url ?? "")?.[1];
  if (address === undefined) {
    throw new Error(`repository.url of package.json is "${repository?.url}", no git+https:…git`);
  }
  return address;
}

/**
 * Markdown whose links and pictures into the repository are whole addresses, those of a version's tag.
 * @param directory the folder of the page, from the root
 */
export function absoluteLinks(markdown: string, address: string, version: string, directory: string): string {
  return markdown.replaceAll(
    /(!?)(\[(?:[^[\]]|\[[^\]]*\])*\])\((?!https?:|#)([^)\s]+)\)/g,
    (_, picture, text, path) => {
      const target = posix.join(directory, String(path));
      return `${picture}${text}(${address}/${picture === "" ? "blob" : "raw"}/v${version}/${target})`;
    },
  );
}
