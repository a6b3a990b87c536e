import assert from "node:assert/strict";
import { test } from "node:test";
import { userSuite } from "../apps/user-suite.ts";
import { makePlan } from "../plan/make-plan.ts";
import { GATE_PROFILE } from "../plan/profile.ts";
import { ALL_ROUTES, ROUTE, USER_SUITE } from "../record/cell.ts";
import { commandServer, userSpec } from "../../tests/fixtures/user-spec.ts";
import { settle } from "./settle.ts";
import { routesToJudge, withRoutes } from "./extra-axes.ts";

const REQUESTS = [
  { method: "GET", path: "/a", weight: 2 },
  { method: "POST", path: "/items/7?x=1" },
  { method: "GET", path: "/a" },
];

const SPEC = userSpec([commandServer("base"), commandServer("yours")], { requests: REQUESTS });

test("each kind of request is a place of its own beside the mixture, and has that kind alone", () => {
  const suite = withRoutes(userSuite(SPEC, ""), REQUESTS);
  const values = routesToJudge(REQUESTS);
  assert.deepEqual(values, [ALL_ROUTES, "1-GET-a", "2-POST-items-7", "3-GET-a"]);
  const mixAt = (route: string) =>
    suite.requests({ suite: USER_SUITE, at: { app: "base", connections: 50, [ROUTE]: route } }).mix
      .map(({ method, path, weight }) => [method, path, weight]);
  assert.equal(mixAt(ALL_ROUTES).length, 3);
  assert.deepEqual(values.slice(1).map(mixAt), [
    [["GET", "/a", 2]],
    [["POST", "/items/7?x=1", undefined]],
    [["GET", "/a", undefined]],
  ]);
});

test("of many kinds of request the commonest four are judged by themselves", () => {
  const many = [1, 5, 2, 2, 9, 1].map((weight, n) => ({ method: "GET", path: `/${n}`, weight }));
  assert.deepEqual(routesToJudge(many), [ALL_ROUTES, "2-GET-1", "3-GET-2", "4-GET-3", "5-GET-4"]);
});

test("a plan compares base and yours at the mixture and at each kind of request, in every round", async () => {
  const suite = withRoutes(userSuite(SPEC, ""), REQUESTS);
  const settled = settle(suite, { profile: GATE_PROFILE, given: { at: { [ROUTE]: routesToJudge(REQUESTS) } } });
  const plan = await makePlan(suite, { ...settled, module: null, own: SPEC, aloneRounds: 0, together: true });
  const routesOf = plan.ensembles.map(({ cells, rounds }) => [
    [...new Set(cells.map((n) => plan.cells[n]!.point.at[ROUTE]))].join(),
    rounds === settled.rounds,
  ]);
  assert.deepEqual(routesOf, routesToJudge(REQUESTS).map((route) => [route, true]));
});
