import { readdirSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { orElse } from "../basics/errors.ts";
import { shellQuoted } from "../basics/shell.ts";
import { nearestNames } from "../basics/unknown-name.ts";
import { MOST_NAMED } from "../basics/visible.ts";

/** Returns a path as it is from the folder the bench was started in. */
export const fromHere = (path: string): string => relative(process.cwd(), path).replaceAll("\\", "/") || ".";

/** Files that hold a program or an app. */
export const SCRIPTS = /\.[cm]?[jt]sx?$/;

/**
 * Returns what to give in place of a file that is not there: those of a similar name in its folder, else some of its kind;
 * `otherwise` where there is none.
 *
 * @param option of the command line, with its dashes
 * @param kind of names that fit
 */
export function fileHint(option: string, path: string, kind: RegExp, otherwise: string): string {
  const folder = resolve(dirname(path));
  const entries = orElse(() => readdirSync(folder, { withFileTypes: true }), []);
  const names = entries.filter((entry) => entry.isFile() && !entry.name.startsWith(".") && kind.test(entry.name))
    .map(({ name }) => name).sort();
  const near = nearestNames(basename(path), names);
  const shown = near.length > 0 ? near : names.slice(0, MOST_NAMED);
  const asGiven = (name: string) => {
    const from = relative(process.cwd(), join(folder, name));
    return shellQuoted(from.startsWith("..") ? from : `./${from}`);
  };
  return shown.length === 0 ? otherwise : shown.map((name) => `${option} ${asGiven(name)}`).join(", or ");
}
