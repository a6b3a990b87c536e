import assert from "node:assert/strict";
import { test } from "node:test";
import type { Subject } from "../record/card.ts";
import { serviceTables, serviceTexts } from "./service-table.ts";
import { styleFor } from "./style.ts";
import { tablesText } from "./table.ts";

const cardOf = (name: string, own_cpus: boolean, counts_per_request: Record<string, number>) => ({
  name,
  cell: { label: "main", point: { suite: "own", at: {} } },
  generator_share: 0.5,
  services: [{
    name: "db",
    version: "15.1",
    facts: {},
    own_cpus,
    cpu_ns_per_request: 9_440,
    share: 0.321,
    counts_per_request,
  }],
});

test("a service has a row of what it used and counted for each request, and says where it had to run", () => {
  const cards = [cardOf("a", false, { round_trips: 2.0004, bytes_in: 312.7 }), cardOf("b", true, { round_trips: 1 })];
  const [table] = serviceTables({}, cards);
  assert.deepEqual([table!.heads, ...table!.rows].map((row) => row.join("|")), [
    "cell|service|CPU/req|busy|ceiling|round trips/req|bytes in/req",
    "a|db 15.1 *|9.44µs|32 %|1.56 ×|2|313",
    "b|db 15.1|9.44µs|32 %|3.12 ×|1|–",
  ]);
  const lines = tablesText(serviceTables({}, cards), { style: styleFor(false, {}), columns: 80 });
  assert.match(lines, /\* on the load generator's core/);
  assert.ok(lines.split("\n").every((line) => line.length <= 80));
  assert.doesNotMatch(
    tablesText(serviceTables({}, [cards[1]!]), { style: styleFor(false, {}), columns: Infinity }),
    /\*/,
  );
  assert.equal(
    tablesText(serviceTables({}, [{ ...cards[0]!, services: [] }]), { style: styleFor(false, {}), columns: Infinity }),
    "",
  );
});

test("how services are used is told once for all who use them alike", () => {
  const used = (name: string, round_trips: number, parse: number | undefined, execute = 1) =>
    cardOf(name, true, { round_trips, execute, ...(parse === undefined ? {} : { parse }) });
  const name = ({ name }: Subject) => name.split("/");
  const cards = [used("a", 1.01, 1), used("b", 1, undefined), used("c", 2, 0.99), used("d", 1, 1)];
  assert.deepEqual(serviceTexts({}, cards, name), [
    "a request is not the same work for all: 1 round trip, 1 statement parsed: a, d; 1 round trip, prepared: b; " +
    "2 round trips, 1 statement parsed: c",
  ]);
  assert.deepEqual(serviceTexts({}, cards.slice(1, 2), name)[0], "each request: 1 round trip, prepared");
  const newer = { ...cards[1]!, services: [{ ...cards[1]!.services![0]!, version: "15.1 and 16.2" }] };
  assert.equal(serviceTexts({}, [cards[0]!, newer], name)[0], "db was not the same everywhere: 15.1 and 16.2");
  const runtimes = [used("a/x", 1, 1), used("a/y", 1, 1), used("b/x", 1, 1), used("b/y", 0.3, undefined)];
  assert.equal(
    serviceTexts({}, runtimes, name)[0],
    "a request is not the same work for all: 1 round trip, 1 statement parsed: a, b with x; " +
      "pipelined in under 1 round trip, prepared: b with y",
  );
  assert.deepEqual(serviceTexts({}, [], name), []);
});
