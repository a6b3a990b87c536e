const NUMBER = /\d+(?:\.\d+)?/g;

/** Texts that differ in their numbers alone as one, each number from the least to the most; others as they are, once. */
export function mergedTexts(texts: readonly string[]): string[] {
  return [...Map.groupBy(texts, (text) => text.replace(NUMBER, "0")).values()].map((alike) => {
    const numbers = alike.map((text) => text.match(NUMBER) ?? []);
    let place = 0;
    return alike[0]!.replace(NUMBER, () => {
      const own = numbers.map((each) => each[place]!).sort((a, b) => Number(a) - Number(b));
      place++;
      return own[0] === own.at(-1) ? own[0]! : `${own[0]} to ${own.at(-1)}`;
    });
  });
}
