/** Functions that are far apart on each runtime, whatever measures them. */
const numbers = Array.from({ length: 300 }, (_, n) => n * 7_919 % 1_009);
const record = { id: 7, name: "a name", tags: ["a", "b", "c"], at: { x: 1.5, y: -2.5 } };
const words = Array.from({ length: 40 }, (_, n) => `word${n}`).join(",");

function fibonacci(n: number): number {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

/** By what they do. */
export const calls = {
  sum: (from: number) => {
    let sum = from;
    for (let n = 0; n < 60; n++) sum += numbers[n]!;
    return sum;
  },
  split: (from: number) => words.split(",", 20 + from % 2),
  json: (from: number) => JSON.parse(JSON.stringify({ ...record, id: from })),
  sort: (from: number) => numbers.toSorted((a, b) => a - b - from % 1),
  fibonacci: (from: number) => fibonacci(22 + from % 2),
};

/** What each is called with: they differ, and take no longer for it. */
export const inputs = [2, 4, 6, 8];

export default { calls, inputs };
