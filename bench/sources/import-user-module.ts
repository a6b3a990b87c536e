import nodeModule from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { detectRuntime } from "../../servers/runtime.ts";
import { INSTALLED, PROJECT_ROOT } from "../runtimes/project-folders.ts";

/** Entries of the package by the names a program imports them under; package.json and deno.json have the same. */
const ENTRIES: Readonly<Record<string, string>> = {
  levelfield: "mod",
  "levelfield/statistics": "bench/engine/statistics",
};

let known = false;

/**
 * Imports a user's module, a config or a suite. In it the name `levelfield` means the Levelfield that reads it, installed
 * there or not. Deno knows that name from deno.json. Throws what the module throws.
 *
 * @param file absolute path
 */
export async function importUserModule(file: string): Promise<Record<string, unknown>> {
  const { href } = pathToFileURL(file);
  const entries = Object.entries(ENTRIES)
    .map(([name, entry]) => [name, join(PROJECT_ROOT, `${entry}.${INSTALLED ? "js" : "ts"}`)] as const);
  const runtime = detectRuntime().name;
  if (runtime === "node") onNode(href, known ? [] : entries);
  if (runtime === "bun" && !known) (await import("./bun-modules.ts")).nameModules(entries);
  known = true;
  return await import(href);
}

/** Node gets the module's format, which it would else guess with a warning of four lines. */
function onNode(url: string, entries: readonly (readonly [string, string])[]): void {
  const files = new Map(entries.map(([name, file]) => [name, pathToFileURL(file).href]));
  if (!process.features.typescript) {
    nodeModule.register("../older-node-hooks.js", import.meta.url, { data: [...files] });
    return;
  }
  const format = /\.ts$/.test(url) ? "module-typescript" : /\.js$/.test(url) ? "module" : null;
  nodeModule.registerHooks({
    resolve(name, context, next) {
      const url = files.get(name);
      if (url !== undefined) return { url, shortCircuit: true };
      const found = next(name, context);
      return found.url === url && format !== null ? { ...found, format } : found;
    },
  });
}
