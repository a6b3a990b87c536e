import assert from "node:assert/strict";
import { test } from "node:test";
import { answerInput, ENGINE } from "../../tests/fixtures/made-up-verdicts.ts";
import { mark } from "../record/mark.ts";
import { answerOf } from "./answer.ts";
import { useText } from "./service-texts.ts";

const counting = (counts_per_request: Record<string, number>) => ({
  services: [{
    name: "db",
    version: "1",
    facts: {},
    own_cpus: true,
    cpu_ns_per_request: 1,
    share: 0.1,
    counts_per_request,
  }],
});

test("uses are alike where round trips and statements parsed are, whatever the last digit", () => {
  assert.equal(useText(counting({ round_trips: 1.02, parse: 0.98, execute: 1 })), "1 round trip, 1 statement parsed");
  assert.equal(useText(counting({ round_trips: 9.6, execute: 20 })), "10 round trips, prepared");
  assert.equal(useText(counting({ round_trips: 1.3, get: 20 })), "1 round trip", "another protocol parses nothing");
  assert.equal(useText(counting({})), null);
  assert.equal(useText({}), null);
});

test("where a service was the limit in every cell that is the answer, and nothing would settle the rest", () => {
  const { services } = counting({});
  const limited = (others: number) => {
    const input = answerInput([ENGINE], () => ({ none: "it is limited by a service" }));
    const cards = input.cards.map((card, n) => {
      const near = [mark("near-service-ceiling", "at 97 % of what the service beside it can do")];
      const how = n === 0 ? { marks: near } : { bound: n <= others ? "server" as const : "service" as const };
      return { ...card, services, ...how };
    });
    return answerOf({ ...input, cards });
  };
  const { sentence, none, settle } = limited(0);
  assert.equal(
    sentence,
    "db is the limit, not the engine: next to nothing was left of what it can do in all 3 cells.",
  );
  assert.deepEqual([none!.map(({ code }) => code), settle], [["service-limit"], null]);
  const one = limited(1);
  assert.match(one.sentence, /^No answer from this run: /, "one cell whose server was the limit is compared with");
  assert.notEqual(one.settle, null);
});
