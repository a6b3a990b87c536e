import { HEALTH_BODY } from "../../servers/adapter.ts";
import { checkEach, checkOne } from "../check-each.ts";
import { seeded } from "../seeded.ts";
import { type Check, expectReply, type Target } from "../suite.ts";
import {
  BODY_LIMIT_BYTES,
  type Event,
  eventAt,
  kindOf,
  MOST_ROWS,
  NO_EVENT,
  RECENT_ROWS,
  recentOf,
  sumFrom,
} from "./events.ts";
import type { Workload } from "./workloads.ts";

/** The rows that a server should serve, and the changes of its load. */
export interface Served {
  /** Events of the table to begin with. */
  readonly rows: number;
  readonly writes: Workload["writes"];
}

/** Events requested besides the first and last. */
const DRAWN = 6;
/** An id no event has, however many are written. */
const NOBODY = 10 ** 14;
/** Names of checks that no event changes. */
const ALIVE = "health is answered";
const REFUSED = "what nobody has and what is no number is said with 404 and 400";
const NOWHERE = "unknown routes are answered with 404";
const MALFORMED = ["x", "-1", "1.5", "1e3", "%00", "1234567890123456"];

const errorText = (error: string) => JSON.stringify({ error });
const NOT_A_NUMBER = errorText("a number is 1 to 15 digits");
const NO_SUCH_ID = errorText("no event has this id");
const NO_ROUTE = errorText("no such route");
const TOO_LARGE = errorText(`a body has at most ${BODY_LIMIT_BYTES} bytes`);

/** Sees that a path is answered with 200 and this JSON, byte for byte. */
export async function expectJson(target: Target, path: string, json: unknown): Promise<void> {
  await expectReply(target, { path }, { status: 200, body: JSON.stringify(json) });
}

/** True if a body is so many events, the latest first, each with the kind of its tick. */
export function areRecent(body: string, first?: number): boolean {
  const events: Event[] = JSON.parse(body);
  return events.length === RECENT_ROWS && (first === undefined || events[0]?.ts === first) &&
    events.every(({ id, kind, ts }, n) =>
      Number.isSafeInteger(id) && kind === kindOf(ts) && isAfter(events[n - 1], id, ts)
    );
}

/** Order of replies: latest first, of one tick the one written last. */
const isAfter = (before: Event | undefined, id: number, ts: number) =>
  before === undefined || before.ts > ts || (before.ts === ts && before.id > id);

/** One request: the server answers at all. */
export const alive = checkOne(
  ALIVE,
  (target) => expectReply(target, { path: "/health" }, { status: 200, body: HEALTH_BODY }),
);

function eventsAreFound({ rows }: Served, ticks: readonly number[]): Check {
  return {
    name: "events of the table are found by id and by tick, byte for byte",
    async run(target) {
      for (const ts of ticks) {
        const event = eventAt(ts, rows);
        await expectJson(target, `/events/${event.id}`, event);
        await expectJson(target, `/at/${ts}`, { count: 1, first: event.kind, last: event.kind });
      }
      return ticks.length * 2;
    },
  };
}

/** Checks that hold whatever strangers have written: no event of the table can be changed, and refusals stay. */
export function lasting(served: Served, seed: number): readonly Check[] {
  const random = seeded(seed);
  const ticks = [0, served.rows - 1, ...Array.from({ length: DRAWN }, () => Math.floor(random() * served.rows))];
  const all = [alive, ...checks(served, seed)];
  return [
    checkEach("events of the table are found by id, byte for byte", ticks, (target, ts) => {
      const event = eventAt(ts, served.rows);
      return expectJson(target, `/events/${event.id}`, event);
    }),
    {
      name: "between two equal ticks there is nothing, and what is no tick is said with 400",
      async run(target) {
        await expectJson(target, "/between/7/7", { events: 0 });
        await expectReply(target, { path: "/between/x/1" }, { status: 400, body: NOT_A_NUMBER });
        return 2;
      },
    },
    ...all.filter(({ name }) => [ALIVE, REFUSED, NOWHERE].includes(name)),
  ];
}

/** One more event of the table. */
export function sample(served: Served, seed: number): Check {
  return eventsAreFound(served, [Math.floor(seeded(seed)() * served.rows)]);
}

/**
 * Returns the checks of every server, whatever its engine and pragmas, before its load and after it. Nothing is left
 * behind.
 */
export function checks(served: Served, seed: number): readonly Check[] {
  const { rows, writes } = served;
  const random = seeded(seed);
  const drawn = () => Math.floor(random() * rows);
  const ticks = [0, rows - 1, ...Array.from({ length: DRAWN }, drawn)];
  const starts = [0, rows - 1, MOST_ROWS, drawn()];
  const writesEvents = typeof writes === "object" && writes !== null;
  return [
    eventsAreFound(served, ticks),
    writesEvents
      ? checkOne(
        "the recent events have the right form and order",
        (target) => expectReply(target, { path: "/events/recent" }, { status: 200, body: (body) => areRecent(body) }),
      )
      : {
        name: "the recent events are those of the table, and no others are there",
        async run(target) {
          await expectJson(target, "/events/recent", recentOf(rows));
          await expectJson(target, "/count", { events: rows });
          return 2;
        },
      },
    checkEach(
      "a look inside gives the right sum",
      starts,
      (target, start) => expectJson(target, `/inside/${start}`, { sum: sumFrom(start, rows) }),
    ),
    {
      name: REFUSED,
      async run(target) {
        await expectReply(target, { path: `/events/${NOBODY}` }, { status: 404, body: NO_SUCH_ID });
        for (const text of MALFORMED) {
          for (const path of [`/events/${text}`, `/inside/${text}`, `/at/${text}`]) {
            await expectReply(target, { path }, { status: 400, body: NOT_A_NUMBER });
          }
        }
        return 1 + MALFORMED.length * 3;
      },
    },
    checkEach(
      NOWHERE,
      ["/events", "/events/1/more", "/nothing"],
      (target, path) => expectReply(target, { path }, { status: 404, body: NO_ROUTE }),
    ),
    {
      name: "a body that is no event is refused and leaves nothing behind",
      async run(target) {
        const wrong = ["{}", "[]", "null", "7", '{"kind":"a"}', '{"kind":"","ts":1}', '{"kind":1,"ts":1}']
          .concat('{"kind":"a","ts":-1}', '{"kind":"a","ts":1.5}', '{"kind":"a","ts":"1"}')
          .concat(JSON.stringify({ kind: "a".repeat(101), ts: 1 }));
        for (const path of ["/events", "/events/batch", "/events/mixed"]) {
          const refused = (body: string, status: number, reply: string) =>
            expectReply(target, { method: "POST", path, body }, { status, body: reply });
          for (const body of wrong) await refused(body, 400, errorText(NO_EVENT));
          await refused("{", 400, errorText("the body is not JSON"));
          await refused(JSON.stringify({ kind: "x".repeat(BODY_LIMIT_BYTES), ts: 1 }), 413, TOO_LARGE);
        }
        await expectJson(target, "/at/1", { count: 1, first: kindOf(1), last: kindOf(1) });
        if (writes !== "visits") await expectJson(target, "/visits", { visits: 0 });
        return 3 * (wrong.length + 2) + 1;
      },
    },
  ];
}
