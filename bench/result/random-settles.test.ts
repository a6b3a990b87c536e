/** Rules of reasons and of advice, held over random tables of marks. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { answerInput, ENGINE, GEAR, type Told } from "../../tests/fixtures/made-up-verdicts.ts";
import { createRandom } from "../basics/random.ts";
import { answerSchema } from "../record/answer-schema.ts";
import { mark, type MarkCode, MARKS, type Remedy, rowOf } from "../record/mark.ts";
import type { Mark } from "../record/outcome-schema.ts";
import { type AnswerInput, answerOf } from "./answer.ts";
import { remedyText } from "./open-comparisons.ts";

/** Codes of marks of a run, which stand at no comparison. */
const OF_ALL: readonly MarkCode[] = ["machine-contended", "above-ceiling", "parts-disagree", "undecided", "knee-open"];
const CODES = (Object.keys(MARKS) as MarkCode[]).filter((code) =>
  MARKS[code].effect !== "note" && !OF_ALL.includes(code)
);
const OF_MACHINE: readonly MarkCode[] = ["machine-contended", "machine-steal", "ceiling-drift"];
const BOUNDS = ["server", "server", "generator", "neither"] as const;

/** A random table: a few codes are common in it, and each comparison is decided, open, or has one to three marks. */
function drawn(random: () => number): AnswerInput {
  const of = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const common = Array.from({ length: 1 + Math.floor(3 * random()) }, () => of(CODES));
  const share = random();
  const told = (): Told => {
    if (random() > share) return random() < 0.3 ? { faster: 1.2 } : { near: 1.01, rounds: of([null, 9, 30, 700]) };
    const [cause, ...also] = new Set(Array.from({ length: 1 + Math.floor(3 * random() ** 3) }, () => of(common)));
    return { none: `${cause} is the case`, cause: cause!, also: also.map((code) => mark(code, `${code} is so`)) };
  };
  const marks: Mark[] = random() < 0.2 ? [mark(of(OF_MACHINE), "others had the machine")] : [];
  const input = answerInput(random() < 0.5 ? [ENGINE] : [ENGINE, GEAR], told, { marks, rounds: of([1, 3, 6]) });
  return { ...input, cards: input.cards.map((card) => ({ ...card, bound: of(BOUNDS) })) };
}

/** The marks that a table has, of its comparisons and of its run. */
const marksIn = ({ families, marks }: AnswerInput) => [
  ...marks,
  ...families.flatMap(({ comparisons }) => comparisons.flatMap((one) => one.verdict === "no-verdict" ? one.marks : [])),
];

/** True if something in a table is what a remedy acts on. */
function isActedOn(remedy: Remedy, input: AnswerInput): boolean {
  const comparisons = input.families.flatMap((family) => family.comparisons);
  if (remedy === "rounds") {
    const isFew = marksIn(input).some(({ code }) => code === "too-few-rounds" || code === "noise-floor-unknown");
    return isFew || comparisons.some((one) => one.verdict === "not-separable" && one.rounds_needed !== null);
  }
  const isShared = (code: MarkCode) => ["socket-errors", "timeouts", "unexpected-status"].includes(code);
  return marksIn(input).some(({ code }) =>
    isShared(code)
      ? remedy === "alone"
      : code === "other-bound"
      ? remedy === "generator" && input.cards.some(({ bound }) => bound === "generator")
      : MARKS[code].helps === remedy
  );
}

test("of random tables of marks what is advised acts on a mark that is there, and the reason is the commonest", () => {
  const seed = 20_261_127;
  const random = createRandom(seed);
  const seen = new Map<string, number>();
  let reasons = 0;
  for (let n = 0; n < 2_000; n++) {
    const input = drawn(random);
    const { settle, none } = answerSchema.parse(answerOf(input));
    const context = `seed ${seed}, table ${n}: ${JSON.stringify([settle, none])}`;
    reasons += checkReason(input, none, context);
    if (settle === null) continue;
    const { helps, sentence, rounds } = settle;
    seen.set(helps ?? "nothing", (seen.get(helps ?? "nothing") ?? 0) + 1);
    if (/quiet/.test(sentence)) assert.ok(isActedOn("quiet", input), context);
    if (helps === undefined) {
      assert.match(sentence, /^no number of rounds decides [^:]+$/, context);
      assert.equal(rounds, null, context);
    } else assert.ok(isActedOn(helps, input), context);
    if (helps === "server" || helps === "generator" || helps === "longer") assert.equal(rounds, null, context);
  }
  for (const remedy of ["rounds", "warmup", "quiet", "again", "alone", "longer", "generator", "server", "nothing"]) {
    assert.ok((seen.get(remedy) ?? 0) > 10, `${remedy}: ${seen.get(remedy)}`);
  }
  assert.ok(reasons > 200, `${reasons}`);
});

/** Checks that no mark keeps more comparisons from a verdict than the one that the answer names; 1 if it names one. */
function checkReason(input: AnswerInput, none: readonly Mark[] | null, context: string): number {
  if (none === null || input.marks.length > 0) return 0;
  const times = Map.groupBy(marksIn(input), ({ code }) => code);
  const most = Math.max(0, ...[...times.values()].map(({ length }) => length));
  const named = times.get(none[0]!.code);
  // Too few rounds are named where they are one reason of several, and other limits by the cells that have them.
  if (named !== undefined && rowOf(none[0]!).of !== "run") {
    const ofCells = Math.max(
      ...[...times].flatMap(([code, { length }]) => rowOf({ code }).of === "run" ? [] : [length]),
    );
    assert.ok(named.length >= ofCells || none[0]!.effect === "voids", context);
    return 1;
  }
  const often = /\(?most often: (\S+) is/.exec(none.at(-1)!.text)?.[1];
  if (often !== undefined) assert.equal(times.get(often as MarkCode)?.length, most, context);
  return often === undefined ? 0 : 1;
}

test("every remedy has a sentence of its own, and none promises rounds", () => {
  const remedies = [...new Set(Object.values(MARKS).map(({ helps }) => helps))].filter((one) =>
    one !== "rounds" && one !== "warmup"
  );
  const texts = remedies.map((remedy) => remedyText(remedy, "them"));
  assert.equal(new Set(texts).size, texts.length);
  for (const text of texts) assert.doesNotMatch(text, /\d+ rounds/);
});
