/** Ways to read a query string: `bench run --function examples/functions/parse.ts`. */
export const inputs = Array.from({ length: 64 }, (_, n) => `page=${n}&sort=name&user=u${n * 7919 % 1000}`);

export const expect = (query: string) => Object.fromEntries(new URLSearchParams(query));

export const params = (query: string) => Object.fromEntries(new URLSearchParams(query));

export function split(query: string) {
  const all: Record<string, string> = {};
  for (const pair of query.split("&")) {
    const at = pair.indexOf("=");
    all[pair.slice(0, at)] = pair.slice(at + 1);
  }
  return all;
}
