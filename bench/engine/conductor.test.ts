import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inTemporaryFolder } from "../../tests/testing.ts";
import { hostsHere } from "../observe/equip.ts";
import { unrecorded } from "../options/user-servers.ts";
import { userSuite } from "../apps/user-suite.ts";
import { draftOf, itemsGiven } from "../options/read-draft.ts";
import type { Settled } from "../plan/profile.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import { bindSuite, type BoundSuite, type Choice, requireAnswers } from "./conductor.ts";

const APP = (reply: string) => `export default { fetch: (request) => ${reply} };`;
const GOOD = APP("new Response(new URL(request.url).pathname)");

/** Binds a choice of apps with these sources, on the pinned Bun. */
async function bound(
  apps: Readonly<Record<string, string>>,
  choice: Omit<Choice, "loaded">,
): Promise<{ readonly bound: BoundSuite; readonly said: readonly string[] }> {
  return await inTemporaryFolder(async (folder) => {
    const given = Object.entries(apps).map(([name, text]) => {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "app.ts"), text);
      return ["app", `${name}=${join(folder, name, "app.ts")}`] as const;
    });
    const draft = draftOf(itemsGiven([...given, ["request", "GET /a"], ["request", "GET /b"]]));
    const loaded: LoadedSuite = { suite: userSuite(unrecorded(draft), process.cwd()), module: null, draft };
    const said: string[] = [];
    const venue = { hosts: hostsHere(), cache: { folder }, say: (line: string) => void said.push(line) };
    return { bound: await bindSuite(venue, { loaded, ...choice }), said };
  });
}

const cell = (app: string) => ({ app, runtime: "bun", connections: 5 });

test("of cells only their apps are started, and the cells stay in their order", async () => {
  const { bound: { cells, suite, origin }, said } = await bound(
    { first: GOOD, broken: "throw new Error('not this one');", second: GOOD },
    { cells: [cell("second"), cell("first")] },
  );
  assert.deepEqual(cells, [cell("second"), cell("first")]);
  assert.deepEqual(origin.own!.servers.map(({ name }) => name), ["first", "second"]);
  assert.deepEqual(suite.axes.find(({ name }) => name === "app")!.values, ["first", "second"]);
  assert.ok(said.every((line) => !line.includes("broken")), said.join("\n"));
});

test("a cell whose app does not start is refused by its reason, and values keep it as unsupported", async () => {
  const apps = { good: GOOD, broken: "throw new Error('no such table');" };
  const { bound: cells } = await bound(apps, { cells: [cell("good"), cell("broken")] });
  assert.throws(() => requireAnswers(cells), /"broken" cannot be measured: .*no such table/);
  const { bound: values } = await bound(apps, {
    settled: { values: { app: ["good", "broken"], runtime: ["bun"], connections: [5] } } as unknown as Settled,
  });
  assert.equal(requireAnswers(values), values);
  assert.deepEqual(values.origin.own!.refused.map(({ app }) => app), ["broken"]);
});

test("revisions are compared by the replies they share, and by statuses elsewhere", async () => {
  const changed = APP('new Response(new URL(request.url).pathname === "/b" ? "new" : "/a")');
  const wanted = (revisions: boolean) => ({ cells: [cell("base"), cell("head")], revisions });
  const { bound: { changes, origin } } = await bound({ base: GOOD, head: changed }, wanted(true));
  assert.deepEqual(changes.map(({ app, of, status }) => [app, of, status]), [["head", 1, false]]);
  assert.deepEqual(origin.own!.samples.map(({ of, reply }) => [of, reply === null]), [[0, false], [1, true]]);
  const apart = await bound({ base: GOOD, head: changed }, wanted(false));
  assert.ok(apart.bound.origin.own!.samples.every(({ reply }) => reply !== null));
});
