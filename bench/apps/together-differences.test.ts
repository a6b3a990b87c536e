/** What counts as a difference of a server while others run, and what is chance. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { HeldFile } from "../machine/holdings.ts";
import {
  changedFiles,
  confirmed,
  differencesOf,
  linesByWords,
  type ServerState,
  sharedBy,
} from "./together-differences.ts";

const file = (path: string, more: Partial<HeldFile> = {}): HeldFile => ({
  ...{ path, locked: false, appends: false, change: "1 1" },
  ...more,
});

/** A server that holds, prints and costs this, and answers as it was recorded. */
function state(
  { ports = [], sockets = [], files = [], said = "", cost = [20e6], ...more }:
    & Partial<NonNullable<ServerState["held"]>>
    & { readonly said?: string; readonly cost?: readonly number[] }
    & Partial<Omit<ServerState, "said" | "cost">>,
): ServerState {
  return {
    ...{
      held: { ports, sockets, files },
      changed: [],
      said: linesByWords(said),
      replies: new Map(),
      ended: null,
      cost,
    },
    ...more,
  };
}

const kinds = (alone: ServerState, together: ServerState) =>
  differencesOf(alone, together).map(({ kind, what }) => `${kind} ${what}`);

test("what a server holds alone and not while others run is a difference, by its name", () => {
  const alone = state({
    ports: [9464, 9465],
    sockets: ["/tmp/a.sock"],
    files: [file("/data/LOCK", { locked: true }), file("/data/log")],
  });
  assert.deepEqual(kinds(alone, alone), []);
  assert.deepEqual(kinds(alone, state({ ports: [9465], files: [file("/data/LOCK"), file("/data/log")] })), [
    "port 9464",
    "socket /tmp/a.sock",
    "lock /data/LOCK",
  ]);
  assert.deepEqual(kinds(state({}), alone), [], "more than alone is no loss");
  assert.deepEqual(kinds(alone, { ...state({}), held: null }), [], "what is not shown is not compared");
});

test("a server that ends while others run differs by that alone, and one that ends alone not at all", () => {
  const ended = state({ ended: "does not start: the port is taken" });
  assert.deepEqual(kinds(state({ ports: [1] }), ended), ["ended does not start: the port is taken"]);
  assert.deepEqual(kinds(ended, state({})), []);
  assert.deepEqual(kinds(ended, ended), []);
});

test("a reply differs where the same request was answered as recorded in the start alone", () => {
  const wrong = state({ replies: new Map([[1, "GET /: at 10:00"]]) });
  assert.deepEqual(kinds(state({}), wrong), ["replies GET /: at 10:00"]);
  assert.deepEqual(kinds(state({ replies: new Map([[1, "GET /: at 9:59"]]) }), wrong), []);
});

test("CPU time differs by more than a compiler's whim, at the same number of requests", () => {
  const cost = (...all: number[]) => state({ cost: all.map((ms) => ms * 1e6) });
  assert.deepEqual(kinds(cost(1, 3, 6, 20), cost(2, 6, 14, 50)), []);
  assert.deepEqual(kinds(cost(1, 3, 6, 20), cost(2, 6, 30, 70)), ["cost 350 % of its CPU time alone"]);
  assert.deepEqual(kinds(cost(2, 6, 30, 80), cost(1, 3, 6, 20)), ["cost 25 % of its CPU time alone"]);
  assert.deepEqual(kinds(cost(1, 3, 6, 20), cost(2, 60)), ["cost 2000 % of its CPU time alone"], "fewer in time");
  assert.deepEqual(kinds(cost(1, 3), cost(2, 12)), [], "too little CPU time");
  assert.deepEqual([kinds(cost(), cost(9)), kinds(cost(9), cost())], [[], []]);
});

test("a line counts by its words, so numbers, ids, times and colours are no new line", () => {
  const printed = `${String.fromCharCode(27)}[32mGET /items/7 200 1.2 ms\nlistening on 127.0.0.1:2000, id 4f0acafe`;
  const other = "GET /items/8 200 980 µs\nlistening on 127.0.0.1:31000, id beef1234";
  assert.deepEqual(kinds(state({ said: printed }), state({ said: other })), []);
  const off = `${other}\n  metrics are off: port 9464 is taken`;
  assert.deepEqual(kinds(state({ said: printed }), state({ said: off })), ["said metrics are off: port 9464 is taken"]);
  assert.deepEqual(kinds({ ...state({}), said: null }, state({ said: off })), []);
});

test("a difference counts if a second start alone shows it, too", () => {
  const sure = (alone: ServerState, again: ServerState, together: ServerState) =>
    confirmed(differencesOf(alone, together), again, alone, together).map(({ kind }) => kind);
  const [held, free] = [state({ ports: [9464] }), state({})];
  assert.deepEqual(sure(held, held, free), ["port"]);
  assert.deepEqual(sure(held, state({ ports: [40_001] }), free), [], "a port that the system gives out");
  assert.deepEqual(sure(held, free, free), []);
  const lines = (said: string) => state({ said });
  assert.deepEqual(sure(lines("ready"), lines("ready"), lines("ready\nthe cache is off")), ["said"]);
  assert.deepEqual(
    sure(lines("I am Anna"), lines("I am Otto"), lines("I am Ruth")),
    [],
    "it prints other words each time",
  );
  assert.deepEqual(sure(free, state({ ended: "it ended" }), state({ ended: "it ended" })), [], "it ends now and then");
});

test("what two servers hold at once is shared; of files only those that requests change in place", () => {
  const shared = (...states: ServerState[]) => sharedBy(states).map(({ kind, what }) => `${kind} ${what}`);
  const both = { sockets: ["/tmp/a.sock"], files: [file("/data/one.db"), file("/data/log", { appends: true })] };
  const changed = ["/data/one.db", "/data/log", "/data/one.db-shm"];
  assert.deepEqual(shared(state(both)), []);
  assert.deepEqual(shared(state(both), state(both)), ["socket /tmp/a.sock"]);
  assert.deepEqual(shared(state({ ...both, changed }), state({ ...both, changed })), [
    "socket /tmp/a.sock",
    "file /data/one.db",
  ]);
  const memory = { files: [file("/data/one.db-shm")], changed };
  assert.deepEqual(shared(state(memory), state(memory)), [], "readers of SQLite write there, too");
  const [before, after] = ["1 1", "2 1"].map((change) => ({ ports: [], sockets: [], files: [file("/a", { change })] }));
  assert.deepEqual([changedFiles(before!, after!), changedFiles(before!, before!), changedFiles(null, after!)], [
    ["/a"],
    [],
    [],
  ]);
});
