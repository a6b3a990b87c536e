import assert from "node:assert/strict";
import { test } from "node:test";
import { formatCpuList, parseCpuList } from "./cpu-list.ts";
import { createRandom } from "./random.ts";

test("lists are read as Linux writes them, ascending and without repeats", () => {
  assert.deepEqual(parseCpuList("0-3,8"), [0, 1, 2, 3, 8]);
  assert.deepEqual(parseCpuList("0\n"), [0]);
  assert.deepEqual(parseCpuList("5, 1-2,2"), [1, 2, 5]);
  assert.deepEqual(parseCpuList("0,32"), [0, 32]);
});

test("what is no list is refused", () => {
  for (const text of ["", ",", "a", "-1", "1-", "3-1", "1,,2", "1.5", "0x1", "0-999999"]) {
    assert.equal(parseCpuList(text), undefined, text);
  }
});

test("any set of CPUs survives being written and read", () => {
  const seed = 5;
  const random = createRandom(seed);
  for (let round = 0; round < 200; round++) {
    const cpus = Array.from({ length: 70 }, (_, cpu) => cpu).filter(() => random() < 0.4);
    if (cpus.length === 0) continue;
    assert.deepEqual(parseCpuList(formatCpuList(cpus)), cpus, `seed ${seed}, round ${round}`);
  }
  assert.equal(formatCpuList([0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
});
