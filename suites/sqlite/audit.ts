import { seeded } from "../seeded.ts";
import { type Audit, expectReply, type SentLoad, serialNumber, type Target, WrongAnswer } from "../suite.ts";
import { areRecent, expectJson } from "./checks.ts";
import { kindOf, WRITTEN_FROM } from "./events.ts";

/** Written events looked for one by one. */
const DRAWN = 48;
/** A tick no load writes: that of a load no observation has. */
const BY_HAND = serialNumber(WRITTEN_FROM, 7, 15, 0);

/** Requests one thread of one load sent. */
interface Lane {
  /** Tick of the first. */
  readonly from: number;
  readonly sent: number;
  /** So many of them, the first ones, were certainly answered. */
  readonly certain: number;
}

function lanesOf(loads: readonly SentLoad[]): Lane[] {
  return loads.flatMap(({ load, sent, connections }) =>
    sent.map(([requests = 0], thread) => ({
      from: serialNumber(WRITTEN_FROM, load, thread, 0),
      sent: requests,
      certain: Math.max(0, requests - connections),
    }))
  );
}

const sumOf = (lanes: readonly Lane[], part: "sent" | "certain") => lanes.reduce((sum, lane) => sum + lane[part], 0);

async function numberAt(target: Target, path: string, name: string): Promise<number> {
  const { body } = await expectReply(target, { path }, { status: 200 });
  const number = (JSON.parse(body) as Record<string, unknown>)[name];
  if (!Number.isSafeInteger(number)) throw new WrongAnswer(`GET ${path}: body ${JSON.stringify(body)}`);
  return number as number;
}

function within(what: string, count: number, least: number, most: number): void {
  if (count < least || count > most) throw new WrongAnswer(`${what}: ${count}, expected ${least} to ${most}`);
}

/** Ticks of requests that were certainly answered, drawn in proportion to what lanes sent. */
function drawnFrom(lanes: readonly Lane[]): number[] {
  const total = sumOf(lanes, "certain");
  const random = seeded(total);
  return Array.from({ length: total === 0 ? 0 : DRAWN }, () => {
    let place = Math.floor(random() * total);
    const lane = lanes.find(({ certain }) => (place -= certain) < 0)!;
    return lane.from + place + lane.certain;
  });
}

/**
 * Sees after loads that write events that the table holds what it held, each event certainly answered, no event that was
 * never sent, and each transaction whole.
 * @param each events one request writes
 */
export function eventsAudit(rows: number, each: number, path: string, loads: readonly SentLoad[]): Audit {
  return {
    name: "events that were answered are there, each transaction whole, and nothing else is",
    async run(target) {
      const lanes = lanesOf(loads);
      let written = 0;
      for (const { from, sent, certain } of lanes) {
        const events = await numberAt(target, `/between/${from}/${from + sent}`, "events");
        within(`events from tick ${from}`, events, certain * each, sent * each);
        if (events % each !== 0) throw new WrongAnswer(`events from tick ${from}: ${events}, no multiple of ${each}`);
        written += events;
      }
      await expectJson(target, "/count", { events: rows + written });
      const drawn = drawnFrom(lanes);
      for (const ts of drawn) await expectEvents(target, ts, each);
      await writeByHand(target, path, each, rows + written);
      return {
        replies: lanes.length + drawn.length + 4,
        facts: { events_written: written, events_looked_for: drawn.length },
      };
    },
  };
}

const expectEvents = (target: Target, ts: number, count: number) =>
  expectJson(target, `/at/${ts}`, { count, first: kindOf(ts), last: kindOf(ts) });

/** The one request whose reply can be looked at: those of the load were only counted. */
async function writeByHand(target: Target, path: string, each: number, before: number): Promise<void> {
  const body = JSON.stringify({ kind: kindOf(BY_HAND), ts: BY_HAND });
  const reply = path === "/events/mixed"
    ? (text: string) => areRecent(text, BY_HAND)
    : JSON.stringify({ inserted: each });
  await expectReply(target, { method: "POST", path, body }, { status: 201, body: reply });
  await expectEvents(target, BY_HAND, each);
  await expectJson(target, "/count", { events: before + each });
}

/** Sees after loads that visit that each visit was counted once. */
export function visitsAudit(loads: readonly SentLoad[]): Audit {
  return {
    name: "each visit was counted once",
    async run(target) {
      const lanes = lanesOf(loads);
      const visits = await numberAt(target, "/visits", "visits");
      within("visits", visits, sumOf(lanes, "certain"), sumOf(lanes, "sent"));
      await expectJson(target, "/", { visits: visits + 1 });
      await expectJson(target, "/", { visits: visits + 2 });
      await expectJson(target, "/visits", { visits: visits + 2 });
      return { replies: 4, facts: { visits_counted: visits } };
    },
  };
}
