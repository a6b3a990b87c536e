/** Hooks for a Node that strips no types: they load TypeScript and resolve given names. Node runs hooks in another thread. */
import { readFile } from "node:fs/promises";
import amaro from "amaro";

let files = new Map();

/** @param named pairs of a name that modules import and the URL it stands for */
export function initialize(named) {
  files = new Map(named);
}

export function resolve(name, context, next) {
  const url = files.get(name);
  return url === undefined ? next(name, context) : { url, shortCircuit: true };
}

export async function load(url, context, next) {
  if (!/^file:.*\.m?ts$/.test(url)) return await next(url, context);
  const { code } = amaro.transformSync(await readFile(new URL(url), "utf8"), { mode: "strip-only" });
  return { format: "module", source: code, shortCircuit: true };
}
