/** The suite: a call starts a program with 25 routes in one framework, sends one request and ends it. */
import { fileURLToPath } from "node:url";
import { runtimeOf, type Suite, wordAxis } from "levelfield";
import { runtimeAxis } from "../../../suites/axes.ts";
import { CALLED } from "../../../suites/calls/called.ts";

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

export default {
  name: "framework-starts",
  subject: "Starts of a program with 25 routes",
  unit: "start",
  title: "starts of a program with 25 routes, from exec to its first reply",
  ...CALLED,
  axes: [
    wordAxis({
      name: "framework",
      title: "Framework",
      help: "which framework has the routes",
      values: ["hono", "elysia-2", "fastify"],
      others: ["elysia-1"],
    }),
    runtimeAxis,
  ],
  supports: (point) => runtimeOf(point) === "bun" || "the programs of Hono and Elysia listen by Bun.serve",
  together: () => true,
  calls: ({ at }) => ({ module: pathOf("starts.mjs"), call: String(at["framework"]) }),
  server: ({ at }) => ({
    kind: "app",
    runtime: String(at["runtime"]),
    module: pathOf("../../../servers/calls/app.ts"),
  }),
} satisfies Suite;
