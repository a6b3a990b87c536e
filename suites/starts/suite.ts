import { fileURLToPath } from "node:url";
import { resultsOf, textOf } from "../../servers/calls/results.ts";
import { countAxis, runtimeAxis, runtimeOf, wordAxis } from "../axes.ts";
import { CALLED } from "../calls/called.ts";
import type { Suite } from "../suite.ts";
import { replyOf } from "./program.ts";

const FORMS = {
  source: "modules as they are, nothing kept from earlier starts",
  kept: "modules, with the compiled code the runtime kept from an earlier start",
  bundle: "all modules in one file",
  executable: "all modules in one file, and that in one with the runtime",
};

/** In which form a program is started. */
export type Form = keyof typeof FORMS;

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Starts of a program, from exec to its first right reply. */
export const starts: Suite = {
  name: "starts",
  title: "starts of a program, from exec to its first right reply",
  ...CALLED,
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
  supports: (point) =>
    point.at["form"] !== "kept" || runtimeOf(point) !== "bun" || "Bun keeps no compiled code of modules",
  files: ({ at }) => ({ builder: pathOf("build.ts"), request: { modules: at["modules"]! } }),
  calls: ({ at }) => {
    const reply = replyOf(Number(at["modules"]));
    const options = { form: at["form"]!, modules: at["modules"]! };
    return { module: pathOf("start.ts"), call: "start", options, results: resultsOf([textOf(reply)]) };
  },
  server: ({ at }, directory) => ({
    kind: "app",
    runtime: String(at["runtime"]),
    module: pathOf("../../servers/calls/app.ts"),
    ...(directory === null ? {} : { directory }),
    state: "copy",
  }),
};
