import { fileURLToPath } from "node:url";
import {
  type CallSpec,
  type Check,
  expectReply,
  type Oracle,
  type Point,
  type Suite,
  WrongAnswer,
} from "../../suites/suite.ts";
import { usageError } from "../basics/errors.ts";
import { MEASURING } from "../generators/registry.ts";

const APP = fileURLToPath(new URL("../../servers/calls/app.ts", import.meta.url));

/** The suite as a generator measures it: one that calls functions has them in place of requests. */
export const asMeasuredBy = (generator: string, suite: Suite): Suite =>
  MEASURING[generator]?.abilities.calls ? inProcess(suite) : suite;

/**
 * A suite whose points are functions that their processes call, in place of requests that are sent to them. What it expects
 * it expects of requests. Throws a usage error for a suite that has none.
 */
function inProcess(suite: Suite): Suite {
  const { calls } = suite;
  if (calls === undefined) {
    throw usageError(`suite "${suite.name}" has no functions to call`, "leave out --generator in-process");
  }
  const specAt = (point: Point): CallSpec => {
    const spec = calls(point);
    if (typeof spec === "string") throw new RangeError(spec);
    return spec;
  };
  return {
    ...suite,
    supports(point) {
      const answer = suite.supports?.(point) ?? true;
      const spec = answer === true ? calls(point) : answer;
      return typeof spec === "string" ? spec : true;
    },
    server(point, ...rest) {
      const server = suite.server(point, ...rest);
      if (server.kind !== "app") throw new RangeError("only an app's process can call functions");
      const { module, call, atOnce = 1, options } = specAt(point);
      return { ...server, module: APP, options: { ...server.options, ...options, calls: module, call, atOnce } };
    },
    requests: (point) => ({
      ...{ protocol: suite.requests(point).protocol ?? "http" },
      calls: true,
      pace: { closed: specAt(point).atOnce ?? 1 },
      mix: [{ path: "/results", expect: [200] }],
    }),
    oracle: (point) => oracleOf(specAt(point)),
    expectations: [],
  };
}

/** A check of the reply of `/results` or `/last`. */
const check = (name: string, path: string, fault: (reply: CallReply) => string | null): Check => ({
  name,
  async run(target) {
    const reply = await target.send("GET", path);
    if (reply.status !== 200) throw new WrongAnswer(`${path}: status ${reply.status}`, reply.status);
    const why = fault(JSON.parse(reply.body));
    if (why !== null) throw new WrongAnswer(why);
    return 1;
  },
});

/** A reply of servers/calls/app.ts. */
interface CallReply {
  readonly wrong: string | null;
  readonly sha256: string;
  readonly text: string;
}

function oracleOf({ call, results }: CallSpec): Oracle {
  const alive: Check = {
    name: "it answers",
    run: (target) => expectReply(target, { path: "/health" }, { status: 200 }).then(() => 1),
  };
  const same = check("it gives what is expected", "/results", ({ wrong, sha256, text }) => {
    if (wrong !== null) return `${call}: ${wrong}`;
    return !results || results.sha256 === sha256
      ? null
      : `${call} gives another result for the same inputs: ${text}, first it gave ${results.text}`;
  });
  const last = check("its loop gives what it gave before", "/last", ({ wrong }) => wrong && `${call}: ${wrong}`);
  return {
    alive,
    checks: () => [same],
    // If results change by themselves, the loop's are not compared.
    sample: () => results === null ? alive : last,
  };
}
