/**
 * The server of calls: one function of one module, called in a loop of its process while a load is on it. It tells at
 * `/results` what the first inputs give, at `/last` whether the last call in the loop gave the same; `/run` begins.
 */
import { HEALTH_BODY } from "../adapter.ts";
import type { OpenApp } from "../app.ts";
import { growthOf } from "./growth.ts";
import { callLoop } from "./loop.ts";
import { type Call, openCalls } from "./open-calls.ts";
import { resultsOf, textsOf, unexpected } from "./results.ts";
import { textOf } from "./text-of.ts";

/** Options of the driver, besides those of the module itself. */
export interface CallOptions {
  /** Absolute path of the module. */
  readonly calls: string;
  readonly call: string;
  /** Calls of an async function under way at once. */
  readonly atOnce: number;
}

export const open: OpenApp = async (context) => {
  const { calls: module, call: name, atOnce, ...options } = context.options as unknown as CallOptions;
  const opened = await openCalls(module, { ...context, options });
  const { calls, inputs = [undefined] } = opened;
  const call = calls[name];
  if (call === undefined) throw new Error(`"${module}" has no call "${name}" on this runtime`);
  const first = call(inputs[0]);
  const isAsync = typeof (first as { then?: unknown } | null)?.then === "function";
  await first;
  const texts = await textsOf(call, inputs);
  let loop = callLoop(call, inputs, isAsync, atOnce), isLookedAt = isAsync;

  /** Once, before the first load; see {@link growthOf}. */
  const growth = () => {
    if (isLookedAt) return null;
    isLookedAt = true;
    return growthOf(call, inputs);
  };

  const answers: Readonly<Record<string, (query: URLSearchParams) => unknown>> = {
    "/results": async () => {
      const now = await textsOf(call, inputs);
      return { ...resultsOf(now), wrong: await unexpected(opened, now) ?? growth() };
    },
    "/last": () => {
      const { input = -1, result } = loop.last() ?? {};
      const expected = texts[input];
      const is = expected === undefined ? undefined : textOf(result);
      const why =
        `gives another result for the same input: in the loop input ${input} gave ${is}, before it ${expected}`;
      return { wrong: is === expected ? null : why };
    },
    "/run": (query) => ({ log: loop.begin(Number(query.get("seed")), Number(query.get("ms"))) }),
  };
  return {
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname === "/health") return new Response(HEALTH_BODY);
      const answer = answers[pathname];
      return answer === undefined
        ? new Response("no such route", { status: 404 })
        : Response.json(await answer(searchParams));
    },
    slower(work) {
      const slower: Call = (input) => (work(), call(input));
      loop = callLoop(slower, inputs, isAsync, atOnce);
    },
    describe: () => ({ diskBytes: null, facts: { calls: isAsync ? "async" : "sync", ...opened.facts } }),
    close: async () => void await opened.close?.(),
  };
};
