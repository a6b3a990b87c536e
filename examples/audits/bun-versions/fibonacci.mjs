// The function of oven-sh/bun#33980, of a smaller number: a call of the published one takes seconds.
function fibonacci(n) {
  if (n < 1) return 0;
  if (n <= 2) return 1;
  return fibonacci(n - 1) + fibonacci(n - 2);
}

export default { inputs: [27], calls: { fibonacci }, expect: () => 196_418 };
