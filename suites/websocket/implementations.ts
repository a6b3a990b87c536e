import { fileURLToPath } from "node:url";
import type { RuntimeName } from "../../servers/runtime.ts";
import { areInstalled, packageFacts } from "../npm-package.ts";
import type { ValueFacts } from "../suite.ts";
import type { Shape } from "./checks.ts";

/** What serves WebSockets. */
export type Implementation = "hono" | "native" | "publish" | "ws";

const TITLES: Readonly<Record<Implementation, string>> = {
  hono: "one app of Hono by its upgradeWebSocket",
  native: "the runtime's own on Bun and Deno; ws on Node, which has none",
  publish: "Bun's own, a room by its publish",
  ws: "the package ws on Deno, and Bun's own module of that name",
};

/** Packages that an implementation imports on a runtime. */
const packagesOf = (implementation: Implementation, runtime: RuntimeName): readonly string[] => [
  ...implementation === "hono" ? ["hono"] : [],
  ...runtime === "node" || implementation === "ws" ? ["ws"] : [],
];

/** True, or why an implementation does not run on a runtime, or not in this shape. */
export function runsOn(implementation: Implementation, runtime: RuntimeName, shape: Shape): true | string {
  if (implementation === "publish" && runtime !== "bun") return "only Bun has topics that a server publishes to";
  if (implementation === "publish" && shape === "echo") return "an echo has one receiver: there is nothing to publish";
  if (implementation === "ws" && runtime === "node") return "on Node native is ws already";
  return areInstalled(...packagesOf(implementation, runtime));
}

/** Title of an implementation, and the version of its package. */
export const describeImplementation = (name: Implementation): ValueFacts => ({
  title: TITLES[name],
  ...packageFacts(name === "hono" || name === "ws" ? name : null),
});

/** Returns the module of an implementation on a runtime, and its options. */
export function serverOf(
  implementation: Implementation,
  runtime: RuntimeName,
): { readonly module: string; readonly options: Readonly<Record<string, string>> } {
  const file = implementation === "hono" ? "hono" : implementation === "ws" || runtime === "node" ? "ws" : runtime;
  return {
    module: fileURLToPath(new URL(`servers/${file}.ts`, import.meta.url)),
    options: implementation === "publish" ? { rooms: "publish" } : {},
  };
}
