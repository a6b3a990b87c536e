/** Rules of answers, held over random tables of verdicts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { At } from "../../suites/suite.ts";
import { answerInput, type Told, UNTOLD } from "../../tests/fixtures/made-up-verdicts.ts";
import { planAxis } from "../../tests/fixtures/small-plan.ts";
import { createRandom } from "../basics/random.ts";
import { type Answer, answerSchema } from "../record/answer-schema.ts";
import { inverse } from "../record/inverse.ts";
import { type AnswerInput, answerOf } from "./answer.ts";
import { listed } from "./questions.ts";

test("of random tables no claim is wider than its verdicts, and no title than most of its places", () => {
  const seed = 20_261_126;
  const random = createRandom(seed);
  const speeds: Record<string, number> = {};
  const any = (a: At, b: At): Told => {
    const usual = speeds[String(a["engine"])]! / speeds[String(b["engine"])]!;
    const ratio = random() < speeds["order"]! ? usual * (0.97 + 0.06 * random()) : 0.7 + 0.6 * random();
    const kind = Math.floor(4 * random() ** (2 + 6 * speeds["order"]!));
    return kind === 0 ? { faster: ratio } : kind === 1 ? { same: 1 } : kind === 2 ? { near: ratio, rounds: 9 } : UNTOLD;
  };
  const withNotes = () => {
    speeds["order"] = random();
    for (const name of ENGINES) speeds[name] = 0.5 + random();
    const axis = planAxis("engine", ENGINES.slice(0, 2 + Math.floor(3 * random())));
    const note = (): Record<string, string> => {
      const drawn = random();
      return drawn < 0.1 ? { warning: "warns" } : drawn < 0.2 ? { caveat: "has a flaw" } : {};
    };
    axis.values = axis.values.map((one) => ({ ...one, facts: note() }));
    const gear = planAxis("gear", ["iron", "wood", "bone", "rope", "tin"].slice(0, 1 + Math.floor(5 * random())), {
      role: "condition",
    });
    gear.values = gear.values.map((one) => ({ ...one, facts: random() < 0.2 ? { warning: "warns" } : {} }));
    return [axis, gear];
  };
  let [claims, losses, picked, open] = [0, 0, 0, 0];
  for (let n = 0; n < 1_000; n++) {
    const input = answerInput(withNotes(), any);
    const answer = answerSchema.parse(answerOf(input));
    const context = `seed ${seed}, table ${n}: ${answer.sentence}`;
    const found = checkClaims(input, answer, context);
    [claims, losses, picked] = [claims + found.claims, losses + found.losses, picked + found.picked];
    open += checkTitle(input, answer, context);
  }
  const counts = `${claims} claims, ${losses} losses, ${picked} picks, ${open} without`;
  assert.ok(claims > 1_000 && losses > 100 && picked > 500 && open > 100, counts);
});

const ENGINES = ["steam", "water", "wind", "sun"];

/**
 * Checks that a value in the title is decided at more than half of its places, by counting verdicts anew, and that each
 * place where it loses stands in the title. Returns 1 if the title names no value.
 */
function checkTitle({ families }: AnswerInput, { questions }: Answer, context: string): number {
  const [question] = questions;
  if (question === undefined) return 0;
  const [main] = question.parts;
  const all = families.map(({ comparisons }) => comparisons.flatMap((one) => [one, inverse(one)]));
  const valueOf = (cell: string) => cell.split("/")[0]!;
  const placeOf = (cell: string) => cell.split("/")[1]!;
  const values = new Set(main!.claims.concat(main!.untold as never[]).flatMap(({ value, over }) => [value, over]));
  const places = all.map((made) =>
    made.filter(({ over, under }) => values.has(valueOf(over)) && values.has(valueOf(under)))
  );
  const made = places.flat();
  const decided = made.filter(({ verdict }) => verdict !== "no-verdict" && verdict !== "not-separable").length / 2;
  /** Counts the places where a value loses to none and wins over or equals most values that are not named with it. */
  const leadAmong = (some: typeof places, value: string, named: readonly string[]) =>
    some.filter((own) => {
      const verdicts = own.filter(({ over }) => valueOf(over) === value);
      const others = verdicts.filter(({ under }) => !named.includes(valueOf(under))).map(({ verdict }) => verdict);
      const won = others.filter((verdict) => verdict === "faster").length;
      const even = others.filter((verdict) => verdict === "equivalent").length;
      return verdicts.every(({ verdict }) => verdict !== "slower") && won > 0 && won + even > others.length / 2;
    }).length;
  const leadOf = (value: string, named: readonly string[]) => leadAmong(places, value, named);
  if (main!.picks.length === 0) {
    const told = main!.claims.flatMap(({ says, verdicts }) => says === "no-difference" ? [] : verdicts);
    assert.equal(told.length, decided, `${context}: all that is decided is told`);
    for (const { values: at, picks } of main!.by?.groups ?? []) {
      const own = places.filter((made) => made.length > 0 && at.includes(placeOf(made[0]!.over)));
      for (const pick of picks) {
        const carried = leadAmong(own, pick, picks);
        assert.ok(2 * carried > own.length, `${context}: ${pick} is decided at ${carried} places of ${at}`);
        assert.ok(
          main!.sentence.toLowerCase().includes(`at ${listed(at)}: `) && main!.sentence.includes(pick),
          context,
        );
      }
    }
    return 1;
  }
  for (const pick of main!.picks) {
    const carried = leadOf(pick, main!.picks);
    assert.ok(2 * carried > places.length, `${context}: ${pick} is decided at ${carried} places`);
    for (const { over, under } of made.filter(({ verdict, over }) => verdict === "slower" && valueOf(over) === pick)) {
      const losses = main!.sentence.split(". ").filter((text) =>
        new RegExp(`^But (?:.*, )?${valueOf(under)} (?:is )?`).test(text)
      );
      const isThere = (where: string) => where === "" || where.includes(placeOf(over)) || /\d of \d/.test(where);
      assert.ok(losses.some((text) => isThere(text.split(" at ")[1] ?? "")), `${context}: ${under} beats ${over}`);
    }
  }
  return 0;
}

/** Checks each claim against the verdicts of its run, and that no verdict against a pick is missing. */
function checkClaims({ families }: AnswerInput, { questions }: Answer, context: string) {
  const verdicts = families.flatMap(({ comparisons }) => comparisons).flatMap((one) => [one, inverse(one)]);
  const valueOf = (cell: string) => cell.split("/")[0]!;
  let [count, losses, picked] = [0, 0, 0];
  for (const { parts } of questions) {
    const said = parts.flatMap((part) => part.claims);
    for (const part of parts) {
      const others = new Set(part.claims.flatMap(({ value, over }) => [value, over]));
      for (const claim of part.claims) {
        count++;
        assert.equal(claim.verdicts.length, claim.places, context);
        const own = claim.verdicts.map(({ over, under }) => {
          assert.deepEqual([valueOf(over), valueOf(under)], [claim.value, claim.over], context);
          return verdicts.find((one) => one.over === over && one.under === under)!;
        });
        const wanted = { faster: "faster", equivalent: "equivalent", "no-difference": "not-separable" }[claim.says];
        assert.ok(own.every(({ verdict }) => verdict === wanted), context);
        assert.deepEqual(
          [claim.least, claim.greatest],
          [Math.min(...own.map(({ ratio }) => ratio!)), Math.max(...own.map(({ ratio }) => ratio!))],
          context,
        );
        assert.ok(claim.interval.low <= claim.least && claim.interval.high >= claim.greatest, context);
        if (claim.says === "faster" && part.picks.includes(claim.over)) {
          assert.match(part.sentence, new RegExp(`(?:But|,) ${claim.value} `), context);
        }
      }
      for (const pick of part.picks) {
        picked++;
        assert.ok(part.sentence.includes(pick), context);
        for (const { over, under } of verdicts.filter(({ verdict }) => verdict === "slower")) {
          if (valueOf(over) !== pick || (!others.has(valueOf(under)) && part.kind !== "main")) continue;
          if (part.kind !== "main") continue;
          losses++;
          const told = said.some(({ says, verdicts }) =>
            says === "faster" && verdicts.some((one) => one.over === under && one.under === over)
          );
          assert.ok(told, `${context}; ${pick} loses to ${under}`);
        }
        for (const other of part.picks.filter((one) => one !== pick)) {
          const told = part.claims.some(({ says, value, over }) =>
            says === "faster" && value === pick && over === other
          );
          assert.ok(!told || new RegExp(`But .*${pick} `).test(part.sentence), context);
        }
      }
    }
  }
  return { claims: count, losses, picked };
}
