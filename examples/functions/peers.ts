/** What mitata's and tinybench's first pages measure: `bench run --function examples/functions/peers.ts`. */
const SIZE = 1024;

function fibonacci(n: number): number {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

export const calls = {
  fibonacci: () => fibonacci(20),
  "Array.from": () => Array.from({ length: SIZE }),
  "new Array": () => new Array(SIZE),
  "Date.now": () => Date.now(),
  add: (n: number) => n + 1,
  faster: () => "I am faster",
  // One millisecond of waiting.
  slower: async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return "I am slower";
  },
};

// They do different things: their results are not compared.
export default { calls, same: false, inputs: Array.from({ length: 16 }, (_, n) => n) };
