import type { Random } from "../../bench/basics/random.ts";
import { ACTING } from "./acting-texts.ts";

/** Texts that do something where they are taken for more than text. */
export const HOSTILE_TEXTS: readonly string[] = [
  "",
  "</script><script>alert(1)</script><img src=x onerror=alert(1)>",
  "\u001b]0;x\u0007\u001b[2J\r\n\u202e\u0000",
  "\ud800",
  "../../../../../../etc/passwd",
  "/dev/zero",
  "__proto__",
  "constructor",
  "file:///etc/passwd",
  "http://127.0.0.1:9/",
  "$(touch marker); `touch marker`",
  "2026-02-31T00:00:00Z",
  "NaN",
  "x".repeat(100_000),
  "😀".repeat(999),
  "a/".repeat(400),
  Object.values(ACTING).map((acting, n) => acting(n)).join(" "),
];

/** Numbers at and beyond what is counted with. */
export const ODD_NUMBERS: readonly number[] = [
  ...[0, -0, -1, 0.5, 1, 2, 1_000, 1_001, 5_000, 100_000, 100_001],
  ...[2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 1e21, 1e300, 5e-324, Number.MAX_VALUE],
];

/** Names that every object seems to have. */
export const OF_ALL_OBJECTS = ["__proto__", "constructor", "toString", "hasOwnProperty", "length", "then", "toJSON"];

/** One of some, each as likely. */
export const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)]!;

/** A value in the place of another. */
export function oddValue(random: Random): unknown {
  const deep = () => JSON.parse("[".repeat(5_000) + "]".repeat(5_000));
  const makers: readonly (() => unknown)[] = [
    () => pick(random, HOSTILE_TEXTS),
    () => pick(random, ODD_NUMBERS),
    () => null,
    () => random() < 0.5,
    () => [],
    () => ({}),
    () => JSON.parse(`{${OF_ALL_OBJECTS.map((name) => `"${name}":1`)}}`),
    deep,
    () => Array.from({ length: 10 ** (1 + Math.floor(random() * 5)) }, () => 0),
  ];
  return pick(random, makers)();
}
