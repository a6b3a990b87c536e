import nodeModule from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { detectRuntime } from "../../servers/runtime.ts";
import { INSTALLED, PROJECT_ROOT } from "../runtimes/project-folders.ts";

/** The part of Bun's plugins that is used here. */
interface PluginBuilder {
  module(
    name: string,
    load: () => Promise<{ readonly exports: Record<string, unknown>; readonly loader: "object" }>,
  ): void;
}
declare const Bun: { plugin(plugin: { readonly name: string; setup(build: PluginBuilder): void }): void };

/** Entries of the package by the names a program imports them under; package.json and deno.json have the same. */
const ENTRIES: Readonly<Record<string, string>> = {
  levelfield: "mod",
  "levelfield/statistics": "bench/engine/statistics",
};

const fileOf = (entry: string) => join(PROJECT_ROOT, `${entry}.${INSTALLED ? "js" : "ts"}`);

let known = false;

/**
 * Imports a user's module, a config or a suite. In it the name `levelfield` means the Levelfield that reads it, installed
 * there or not. Deno knows that name from deno.json. Throws what the module throws.
 *
 * @param file absolute path
 */
export async function importUserModule(file: string): Promise<Record<string, unknown>> {
  const { href } = pathToFileURL(file);
  const entries = Object.entries(ENTRIES).map(([name, entry]) => [name, fileOf(entry)] as const);
  const runtime = detectRuntime().name;
  if (runtime === "node") onNode(href, known ? [] : entries);
  if (runtime === "bun" && !known) onBun(entries);
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

/** Bun gets a plugin that makes files importable under names. */
function onBun(entries: readonly (readonly [name: string, file: string])[]): void {
  Bun.plugin({
    name: "levelfield",
    setup(build) {
      for (const [name, file] of entries) {
        build.module(name, async () => ({ exports: { ...await import(file) }, loader: "object" }));
      }
    },
  });
}
