import { socketErrors } from "../../judge/judge-load.ts";
import { THRESHOLDS } from "../../judge/thresholds.ts";
import type { Loaded, Member, Observation } from "../../record/observation-record.ts";
import { sum } from "../../statistics/variation.ts";
import { type Claim, momentNs } from "./claim.ts";

/** Bytes of the least reply and the least request HTTP/1.1 knows (RFC 9112): `HTTP/1.1 200 ` and two line ends; `GET / HTTP/1.1`, two. */
const LEAST_REPLY = 17;
const LEAST_REQUEST = 18;

/** Requests the generator hands out before it counts them in a slot. */
const BATCH = 64;

/** What was sent, answered and carried has to be the same load. */
export function countFaults(loaded: Loaded, servers: number, claim: Claim): void {
  const { load, latency, counters } = loaded;
  if (load === null) return;
  const { requests, errors, sent_per_slot: slots, sent_per_template: templates, duration_us, slot_us } = load;
  const connections = load.connections * servers;
  // However few the requests: a connection has one under way at a time.
  const waited = (latency?.histogram ?? []).reduce((all, [us, count]) => all + us * count, 0);
  claim(
    load.offered_per_second !== undefined || waited <= (1 + THRESHOLDS.littlesLawGap) * connections * duration_us,
    "it breaks Little's law: its connections waited longer than the window",
  );
  const clean = socketErrors(errors) + (errors.timeout ?? 0) === 0;
  claim(errors.expected_status <= (errors.status ?? 0), "more error statuses were expected than came");
  const sent = sum(templates);
  if (templates.length > 0) {
    claim(sent >= requests, "more requests were answered than sent");
    // Each connection has one request under way.
    claim(!clean || sent - requests <= connections, "more requests are unanswered than there are connections");
  }
  claim(
    slots.length > 0 || requests <= BATCH * load.threads || load.untold?.["sent_per_slot"] !== undefined,
    "it does not tell when its requests were sent, nor why",
  );
  if (slots.length > 0) {
    const told = sum(slots);
    claim(templates.length === 0 || told <= sent, "its slots hold more requests than were sent");
    claim(
      templates.length === 0 || sent - told <= BATCH * load.threads,
      "its slots hold fewer requests than were sent",
    );
    claim((slots.length - 1) * slot_us <= duration_us + momentNs(loaded) / 1e3, "its slots go on after its end");
    // A closed loop sends again once it is answered, so the last slot is a reply and a batch from the end.
    const longest = latency?.max_us ?? null;
    const batchUs = requests === 0 ? Infinity : BATCH * load.threads * duration_us / requests;
    claim(
      longest === null || !clean || load.offered_per_second !== undefined ||
        slots.length * slot_us >= duration_us - longest - batchUs - slot_us,
      "nothing was sent for the end of its window",
    );
  }
  if (load.reply_bytes !== null) {
    claim(load.reply_bytes >= LEAST_REPLY * requests, "its replies have fewer bytes than a reply can have");
    const wire = counters?.loopback_bytes ?? null;
    claim(
      wire === null || wire >= load.reply_bytes + LEAST_REQUEST * requests,
      `the wire carried ${wire} bytes, fewer than its requests and replies are`,
    );
  }
  const opened = counters?.connections_opened ?? null;
  claim(
    load.calls || opened === null || requests < connections || opened >= connections,
    "it opened fewer connections than it had",
  );
}

/** What several servers did in their window is part of what the generator counted. */
export function togetherCounts({ load, warmup, members }: Observation, claim: Claim): void {
  if (load === null) return;
  const inWindow = members.map(({ requests, lead_in }) => (requests ?? 0) + (lead_in?.requests ?? 0));
  const own = sum(inWindow) + (warmup?.requests ?? 0);
  const sent = load.sent_per_template.length === 0 ? null : sum(load.sent_per_template);
  // Each count is rounded.
  claim(sent === null || own <= sent + members.length + 1, "its servers answered more than was sent to them");
}

/** What one server did in a window of its own is what the generator counted. */
export function ownCounts({ load }: Loaded, { requests }: Member, claim: Claim): void {
  claim(load === null || requests === load.requests, "the server answered another number than the generator counted");
}
