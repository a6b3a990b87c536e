import { conditionAxis, runtimeAxis, runtimeOf, wordAxis } from "../axes.ts";
import type { Point, Suite } from "../suite.ts";
import { oracle, type Shape } from "./checks.ts";
import { describeImplementation, type Implementation, runsOn, serverOf } from "./implementations.ts";
import { type Form, loadMessage } from "./messages.ts";

interface Workload {
  readonly shape: Shape;
  readonly connections: number;
  /** Messages in flight on each connection. */
  readonly inFlight: number;
  /** Further connections, which send nothing. */
  readonly idle?: number;
  readonly title: string;
  readonly phrase: string;
}

/** Members of a room. */
const MEMBERS = 32;

const WORKLOADS: Readonly<Record<string, Workload>> = {
  echo: {
    ...{ shape: "echo", connections: 50, inFlight: 1 },
    title: "an echo: 50 connections, one message in flight on each",
    phrase: "an echo of one message at a time",
  },
  "echo-16": {
    ...{ shape: "echo", connections: 50, inFlight: 16 },
    title: "an echo: 50 connections, 16 messages in flight on each",
    phrase: "an echo of 16 messages in flight",
  },
  room: {
    ...{ shape: "room", connections: MEMBERS, inFlight: 1 },
    title: `a room of ${MEMBERS}: each message goes to all, and each member has one in flight`,
    phrase: `a room of ${MEMBERS}`,
  },
  "echo-512": {
    ...{ shape: "echo", connections: 512, inFlight: 1 },
    title: "an echo: 512 connections, one message in flight on each",
    phrase: "an echo on 512 connections",
  },
  idle: {
    ...{ shape: "echo", connections: 1, inFlight: 1, idle: 999 },
    title: "an echo on one of 1 000 connections: the others are idle, and hold memory",
    phrase: "an echo on one of 1 000 connections",
  },
};

const NAMES = Object.keys(WORKLOADS);
/** Workloads that are measured unless others are requested. */
const DEFAULTS = 3;

const workload = conditionAxis({
  name: "workload",
  title: "Workload",
  inEveryRound: true,
  help: "what is sent: an echo of one message or 16 in flight, a room of 32, 1 000 connections",
  phrases: Object.fromEntries(NAMES.map((name) => [name, WORKLOADS[name]!.phrase])),
  describe: (value) => ({ title: WORKLOADS[value]!.title }),
  measured: DEFAULTS,
});

const implementation = wordAxis({
  name: "implementation",
  title: "Implementation",
  help: "which server: hono, native (the runtime's own; ws on Node), publish (a room of Bun), ws on Deno and Bun",
  values: ["hono", "native", "publish", "ws"],
  describe: (value) => describeImplementation(value as Implementation),
});

const form = conditionAxis({
  name: "form",
  title: "Form",
  help: "messages are texts, or bytes",
  phrases: { text: "messages as texts", binary: "messages as bytes" },
  measured: 1,
});

const workloadOf = ({ at }: Point) => WORKLOADS[at["workload"]!]!;
const formOf = ({ at }: Point) => at["form"] as Form;

/** WebSockets: an echo, and a room in which each message goes to all. */
export const websocket: Suite = {
  name: "websocket",
  subject: "WebSocket servers",
  unit: "message",
  title: "WebSockets: an echo, and a room in which each message goes to all",
  axes: [workload, implementation, runtimeAxis, form],
  generator: "websocket",
  probe: { workload: "echo", implementation: "native", runtime: "node", form: "text" },
  quick: { at: { workload: ["echo", "room"] } },
  supports: (point) => runsOn(point.at["implementation"] as Implementation, runtimeOf(point), workloadOf(point).shape),
  together: () => true,
  server: (point) => ({
    kind: "app",
    runtime: String(point.at["runtime"]),
    ...serverOf(point.at["implementation"] as Implementation, runtimeOf(point)),
  }),
  requests(point) {
    const { shape, connections, inFlight, idle = 0 } = workloadOf(point);
    const path = shape === "echo" ? "/echo" : "/room/00000000";
    return {
      pace: { closed: connections },
      websocket: { inFlight, idle, ...(shape === "room" ? { members: MEMBERS } : {}) },
      mix: [{ method: "WEBSOCKET", path, body: loadMessage(formOf(point)), expect: [101] }],
    };
  },
  oracle: (point) => oracle(workloadOf(point).shape, formOf(point)),
};
