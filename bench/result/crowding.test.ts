import assert from "node:assert/strict";
import { test } from "node:test";
import { madeUpTable } from "../../tests/fixtures/made-up-table.ts";
import { crowdingMark } from "./crowding.ts";
import { mark } from "../record/mark.ts";

/** Rounds of two servers, of which each grew by a factor next to the other; a little noise on each round. */
const rounds = (count: number, growA: number, growB: number, noise = 0.01, machine = 1) =>
  madeUpTable(Array.from({ length: count }, (_, round) => {
    const off = 1 + noise * (round % 3 - 1);
    return [
      { alone: machine * 20_000, together: machine * 20_000 * growA * off },
      { alone: machine * 50_000, together: machine * 50_000 * growB },
    ];
  }));

test("servers whose costs grow alike beside each other are compared, however much they grow", () => {
  for (const grow of [1, 1.3, 3]) {
    for (const count of [1, 2, 3, 6]) assert.equal(crowdingMark(rounds(count, grow, grow), "a", "b"), null);
  }
});

test("a server that is crowded out by the others is not judged, and it is said which and by how much", () => {
  const crowded = crowdingMark(rounds(6, 1.6, 1.2), "a", "b");
  assert.equal(crowded?.code, "crowded");
  assert.equal(crowded.text, "beside the others a costs 33 % more against b than alone: they crowd each other");
  assert.deepEqual(crowdingMark(rounds(6, 1.6, 1.2), "b", "a"), crowded, "either way round");
  assert.match(crowdingMark(rounds(3, 1, 1.2), "a", "b")!.text, /b costs 20 % more against a/);
});

test("one and two rounds say what is beyond a factor of two, from three on what their spread leaves no doubt of", () => {
  for (const count of [1, 2]) {
    for (const grow of [1.4, 1.95]) assert.equal(crowdingMark(rounds(count, grow, 1), "a", "b"), null);
    assert.match(crowdingMark(rounds(count, 1, 3), "a", "b")!.text, /b costs 20\d % more against a than alone/);
  }
  const opposite = [{ alone: 100, together: 900 }, { alone: 100, together: 100 }];
  assert.equal(crowdingMark(madeUpTable([opposite, [opposite[1]!, { alone: 100, together: 300 }]]), "a", "b"), null);
  assert.match(crowdingMark(rounds(3, 1.2, 1, 0.005), "a", "b")!.text, /a costs 20 % more/);
  assert.equal(crowdingMark(rounds(3, 1.2, 1, 0.15), "a", "b"), null, "as much as noise makes");
  assert.equal(crowdingMark(rounds(9, 1.03, 1, 0.001), "a", "b"), null, "sure, but no more than counts");
});

test("a machine of half or twice the speed says the same", () => {
  for (const grow of [1.02, 1.3]) {
    const said = [0.5, 1, 2].map((machine) => crowdingMark(rounds(6, grow, 1, 0.01, machine), "a", "b")?.text);
    assert.equal(new Set(said).size, 1);
    assert.equal(said[0] === undefined, grow === 1.02);
  }
});

test("rounds without a window alone, or in which one was left out, say nothing", () => {
  assert.equal(crowdingMark(madeUpTable([[null, null]]), "a", "b"), null);
  const table = madeUpTable([
    [{ together: 90, alone: null }, { together: 50, alone: 50 }],
    [null, { together: 50, alone: 50 }],
  ]);
  assert.equal(crowdingMark(table, "a", "b"), null);
  const spoilt = rounds(6, 1.6, 1);
  for (const { members } of spoilt.rounds) {
    members[0]!.alone!.marks.push(mark("contended", "others"));
  }
  assert.equal(crowdingMark(spoilt, "a", "b"), null);
});
