import { fileURLToPath } from "node:url";
import { numberAxis, runtimeAxis, wordAxis } from "../axes.ts";
import { CALLED } from "./called.ts";
import type { CallSpec, Point, Suite, UserModule } from "../suite.ts";

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Functions of the project: a file each in this folder. */
const OURS: Readonly<Record<string, readonly string[]>> = { copies: ["spread", "json", "clone"] };

/** The functions of a module with what they gave first, as main.ts read them. */
const callsOf = ({ facts }: UserModule): Readonly<Record<string, NonNullable<CallSpec["results"]> | null>> =>
  JSON.parse(facts["calls"]!);

/** The suite with users' functions. */
function callsWith(modules: readonly UserModule[]): Suite {
  const names = [
    ...new Set(modules.length > 0 ? modules.flatMap((module) => Object.keys(callsOf(module))) : OURS["copies"]!),
  ];
  const specAt = ({ at }: Point): CallSpec | string => {
    const atOnce = Number(at["connections"] ?? 1);
    const [name, call] = [String(at["function"]), String(at["call"])];
    const module = modules.find(({ value }) => value === name);
    const none = `"${name}" has no function "${call}"`;
    if (module === undefined) return OURS[name]?.includes(call) ? { module: pathOf(`${name}.ts`), call, atOnce } : none;
    const results = callsOf(module)[call];
    return results === undefined ? none : { module: module.file, call, results, atOnce };
  };
  return {
    name: "calls",
    subject: "Functions called in a loop",
    title: "functions of a module, called in a loop of their own process",
    ...CALLED,
    axes: [
      {
        ...wordAxis({
          name: "function",
          title: "Module",
          help: "the module with functions; ./mine.ts is one of your own",
          values: Object.keys(OURS),
          others: modules.map(({ value }) => value),
          describe: (value) => {
            const module = modules.find((each) => each.value === value);
            return module === undefined ? { title: "three ways to copy an object" } : module.facts;
          },
        }),
        modules: pathOf("main.ts"),
      },
      wordAxis({
        name: "call",
        title: "Function",
        help: "functions of the module, by name",
        values: names,
        describe(name) {
          const said = modules.flatMap(({ facts }) => JSON.parse(facts["notes"] ?? "{}")[String(name)] ?? []);
          return said.length === 0 ? {} : { note: [...new Set(said)].join("; ") };
        },
      }),
      runtimeAxis,
      numberAxis({
        name: "connections",
        title: "At once",
        help: "calls of an async function under way at once",
        values: [1],
        least: 1,
        most: 10_000,
        unit: "at a time",
      }),
    ],
    withModules: callsWith,
    supports: (point) => {
      const spec = specAt(point);
      return typeof spec === "string" ? spec : true;
    },
    together(points) {
      const waiting = points.find(({ at }) =>
        modules.some(({ value, facts }) =>
          value === at["function"] && facts["waiting"]?.split(", ").includes(String(at["call"]))
        )
      );
      return waiting === undefined || `${waiting.at["call"]} waits, which CPU time does not show`;
    },
    calls: specAt,
    server: ({ at }) => ({ kind: "app", runtime: String(at["runtime"]), module: pathOf("../../servers/calls/app.ts") }),
  };
}

/** Functions of a user's module, without HTTP. */
export const calls: Suite = callsWith([]);
