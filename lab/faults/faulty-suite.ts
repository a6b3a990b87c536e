/** The suite of faulty servers: `bench run` measures it as it measures any other. */
import { fileURLToPath } from "node:url";
import { type Check, expectReply, type Suite } from "../../suites/suite.ts";
import type { RuntimeName } from "../../servers/runtime.ts";
import { locateRuntime, SCRIPT_ARGS } from "../../bench/runtimes/runtimes.ts";
import { BODY } from "./behaviours.ts";

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Where requests go. The fault's name stands in the address, so that a load generator knows which it is to play. */
const pathOf = (fault: string) => `/value?fault=${fault}`;

/** A server with separate files that it may change. */
export const WITH_FILES = "sound-with-files";
const copied = (directory: string | null) => directory === null ? {} : { directory, state: "copy" as const };

/** A sound reply, requested so many times. */
const check = (fault: string, times: number): Check => ({
  name: "the reply is right",
  async run(target) {
    for (let n = 0; n < times; n++) await expectReply(target, { path: pathOf(fault) }, { status: 200, body: BODY });
    return times;
  },
});

const text = { parse: (word: string) => word, format: String };

/** One axis names the fault, one how its server is started. */
export const suite: Suite = {
  name: "faults",
  title: "servers and load generators with a fault built in",
  axes: [
    { name: "behaviour", title: "Behaviour", role: "contrast", help: "what is wrong", values: ["sound"], ...text },
    {
      name: "runtime",
      title: "Runtime",
      role: "condition",
      help: "runtimes",
      values: ["node"],
      binds: "runtime",
      ...text,
    },
    {
      name: "as",
      title: "Started as",
      role: "condition",
      help: "app, own or command",
      values: ["app", "own", "command"],
      ...text,
    },
  ],
  files: ({ at }) => at["behaviour"] === WITH_FILES ? { builder: here("faulty-files.ts"), request: {} } : null,
  server({ at }, directory) {
    const fault = String(at["behaviour"]);
    const runtime = String(at["runtime"]);
    if (at["as"] !== "command") {
      // A separate folder says that an app is somebody else's: it may talk, and what it starts ends with it.
      const cwd = at["as"] === "own" ? { cwd: here(".") } : {};
      return { kind: "app", runtime, module: here("faulty-app.ts"), options: { fault }, ...cwd, ...copied(directory) };
    }
    const name = runtime as RuntimeName;
    return {
      kind: "command",
      command: [locateRuntime(name).file, ...SCRIPT_ARGS[name], here("faulty-command.ts"), fault, "{port}"],
      ready: pathOf(fault),
      stop: "SIGTERM",
    };
  },
  requests: ({ at }) => ({ pace: { closed: 50 }, mix: [{ path: pathOf(String(at["behaviour"])), expect: [200] }] }),
  oracle({ at }) {
    const fault = String(at["behaviour"]);
    return { alive: check(fault, 1), checks: () => [check(fault, 60)] };
  },
};

export default suite;
