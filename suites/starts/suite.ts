import { fileURLToPath } from "node:url";
import { resultsOf } from "../../servers/calls/results.ts";
import { textOf } from "../../servers/calls/text-of.ts";
import { engineRuntimeArgs } from "../../stores/sqlite/engine-flags.ts";
import { conditionAxis, countAxis, runtimeAxis, runtimeOf, wordAxis } from "../axes.ts";
import { CALLED } from "../calls/called.ts";
import type { Suite } from "../suite.ts";
import { replyOf } from "./program.ts";

const FORMS = {
  source: "modules as they are, nothing kept from earlier starts",
  kept: "modules, with the compiled code the runtime kept from an earlier start",
  bundle: "all modules in one file",
  executable: "all modules in one file, and that in one with the runtime",
};

const STORES = {
  none: "no store is opened",
  map: "1k users are read into a Map before the server listens",
  sqlite: "a SQLite file of 1k users is opened before the server listens",
};

/** Which store a program opens before its first reply. */
export type StoreChoice = keyof typeof STORES;

const CACHES = {
  warm: "files are in the page cache, as after an earlier start",
  cold: "files are read from disk: they are dropped from the page cache before each start",
};

/** The state of the page cache at a start. */
export type Cache = keyof typeof CACHES;

/** In which form a program is started. */
export type Form = keyof typeof FORMS;

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Starts of a program, from exec to its first right reply. */
export const starts: Suite = {
  name: "starts",
  subject: "Starts of a program",
  unit: "start",
  title: "starts of a program, from exec to its first right reply",
  ...CALLED,
  // Seen with 100 modules.
  expectedWarmupMs: 5_400,
  quick: { at: { modules: [100], form: ["source", "kept", "executable"] } },
  axes: [
    runtimeAxis,
    wordAxis({
      name: "form",
      title: "Form",
      help: "what is started: modules, with code kept from earlier starts, one file, an executable",
      values: Object.keys(FORMS),
      describe: (value) => ({ title: FORMS[value as Form] }),
    }),
    wordAxis({
      name: "store",
      title: "Store",
      help: "what the program opens before its first reply: none, map, sqlite",
      values: ["none"],
      others: ["map", "sqlite"],
      describe: (value) => ({ title: STORES[value as StoreChoice] }),
    }),
    conditionAxis({
      name: "cache",
      title: "Page cache",
      inEveryRound: true,
      help: "whether files are in memory: warm, or cold: read from disk, on Linux",
      measured: 1,
      phrases: { warm: "files in memory", cold: "files read from disk" },
      describe: (value) => ({ title: CACHES[value as Cache] }),
    }),
    countAxis({
      name: "modules",
      title: "Modules",
      help: "modules of the program",
      unit: "modules",
      values: [10, 100, 1_000],
      least: 1,
      most: 10_000,
    }),
  ],
  supports(point) {
    const { form, store } = point.at;
    if (form === "kept" && runtimeOf(point) === "bun") return "Bun keeps no compiled code of modules";
    return store === "none" || form === "source" || form === "kept" || "a store's adapter is modules, not one file";
  },
  together: (points) =>
    points.every(({ at }) => at["cache"] === "warm") || "a start that waits for the disk leaves its core idle",
  files: ({ at }) => ({ builder: pathOf("build.ts"), request: { modules: at["modules"]!, store: at["store"]! } }),
  calls: ({ at }) => {
    const { form, modules, store, cache } = at;
    const reply = replyOf(Number(modules), store as StoreChoice);
    const options = { form: form!, modules: modules!, store: store!, cache: cache! };
    return { module: pathOf("start.ts"), call: "start", options, results: resultsOf([textOf(reply)]) };
  },
  server: ({ at }, directory) => ({
    kind: "app",
    runtime: String(at["runtime"]),
    module: pathOf("../../servers/calls/app.ts"),
    ...(directory === null ? {} : { directory }),
    ...(at["cache"] === "cold" ? { runtimeArgs: engineRuntimeArgs("library", String(at["runtime"])) } : {}),
    state: "copy",
  }),
};
