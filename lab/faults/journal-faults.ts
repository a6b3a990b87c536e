import { writeFileSync } from "node:fs";
import { cut, type Damage, inBytes, journal, lines, replacedBy, rewrite } from "./damage.ts";

const deep = `{"schema":${"[".repeat(100_000)}`;

/** Damage to each place of the journal. */
export const JOURNAL: readonly Damage[] = [
  {
    name: "journal-empty",
    injected: "no line left",
    damage: (run) => writeFileSync(journal(run), ""),
    verify: /step 0 .*is missing/,
  },
  { name: "journal-cut", injected: "half its length", damage: (run) => cut(journal(run)), verify: /half a line/ },
  {
    name: "journal-first-cut",
    injected: "half a first line",
    damage: lines(([first, ...rest]) => [first!.slice(0, 99), ...rest]),
    verify: /line 1.*no JSON/,
  },
  {
    name: "journal-last-gone",
    injected: "the last line gone",
    damage: lines((all) => all.slice(0, -1)),
    verify: /step 3 .*is missing/,
  },
  {
    name: "journal-middle-gone",
    injected: "a line in the middle gone",
    damage: lines((all) => all.toSpliced(1, 1)),
    verify: /step 1 .*is missing/,
  },
  {
    name: "journal-blank",
    injected: "a blank line",
    damage: lines(([first, ...rest]) => [first!, "", ...rest]),
    verify: /line 2.*no JSON/,
  },
  {
    name: "journal-twice",
    injected: "a line twice",
    damage: lines((all) => [...all, all[1]!]),
    verify: /step 1 stands twice/,
  },
  {
    name: "journal-turned",
    injected: "two lines in the other order",
    damage: lines(([a, b, ...rest]) => [b!, a!, ...rest]),
    verify: /step 0 stands after step 1/,
  },
  {
    name: "journal-random",
    injected: "random bytes in the middle",
    damage: (run) =>
      inBytes(
        journal(run),
        (bytes) => Buffer.concat([bytes.subarray(0, 700), Buffer.from("\u0000\ufffd\u0007}{"), bytes.subarray(720)]),
      ),
    verify: /line 1.*(no JSON|damaged)/,
  },
  {
    name: "journal-not-utf8",
    injected: "a byte that is no UTF-8 in a text",
    damage: (run) =>
      inBytes(journal(run), (bytes) => {
        const at = bytes.indexOf("observation");
        bytes[at] = 0xff;
        return bytes;
      }),
    verify: /line 1.*(version|damaged)/,
  },
  {
    name: "journal-bom",
    injected: "a byte order mark at its start",
    damage: (run) => rewrite(journal(run), (text) => `\ufeff${text}`),
    verify: /line 1.*no JSON/,
  },
  {
    name: "journal-nul",
    injected: "a page of zeros at its end, as after a power cut",
    damage: (run) => inBytes(journal(run), (bytes) => Buffer.concat([bytes, Buffer.alloc(4_096)])),
    verify: /half a line/,
  },
  {
    name: "journal-version",
    injected: "a line of another version",
    damage: (run) =>
      rewrite(journal(run), (text) => text.replace("levelfield.observation/2", "levelfield.observation/9")),
    verify: /line 1.*of version "levelfield.observation\/9"/,
  },
  {
    name: "journal-huge",
    injected: "a number too large to be one",
    damage: (run) => rewrite(journal(run), (text) => text.replace(/"requests":\d+/, '"requests":1e999')),
    verify: /line 1.*damaged/,
  },
  {
    name: "journal-negative",
    injected: "a count below zero",
    damage: (run) => rewrite(journal(run), (text) => text.replace(/"requests":\d+/, '"requests":-5')),
    verify: /line 1.*damaged/,
  },
  {
    name: "journal-digit",
    injected: "another digit in a count",
    damage: (run) =>
      rewrite(
        journal(run),
        (text) =>
          text.replace(/"requests":(\d)(\d*,"requests_per)/, (_, digit, rest) => `"requests":${9 - digit || 1}${rest}`),
      ),
    verify: /rate is not requests by time|does not follow/,
  },
  {
    name: "journal-null",
    injected: "a line that is null",
    damage: lines(([, ...rest]) => ["null", ...rest]),
    verify: /line 1.*damaged/,
  },
  {
    name: "journal-deep",
    injected: "a line of 100 000 brackets",
    damage: lines(([, ...rest]) => [deep, ...rest]),
    verify: /line 1.*no JSON/,
  },
  {
    name: "journal-gone",
    injected: "no journal",
    damage: (run) => replacedBy(journal(run), "nothing"),
    verify: /cannot read "journal.ndjson": ENOENT/,
    show: /cannot read ".*journal.ndjson": ENOENT/,
  },
  {
    name: "journal-folder",
    injected: "a folder in its place",
    damage: (run) => replacedBy(journal(run), "folder"),
    verify: /cannot read "journal.ndjson": EISDIR/,
    show: /cannot read ".*journal.ndjson": EISDIR/,
  },
  {
    name: "journal-loop",
    injected: "a link to itself in its place",
    damage: (run) => replacedBy(journal(run), "loop"),
    verify: /cannot read "journal.ndjson": ELOOP/,
    show: /cannot read ".*journal.ndjson": ELOOP/,
  },
];
