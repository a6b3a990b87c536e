import assert from "node:assert/strict";
import { test } from "node:test";
import type { Loaded } from "../record/load-record.ts";
import type { IdleReplies, SampledReplies } from "../record/replies-schema.ts";
import { type CheckedLoad, noneRightMark, otherReplies } from "./replies.ts";

const CONNECTIONS = 50;

const rest = (least: number, most = least, more: Partial<IdleReplies> = {}): IdleReplies => ({
  route: "GET /",
  replies: 4,
  statuses: [200],
  bytes: [least, most],
  body_bytes: [least - 150, most - 150],
  ...more,
});
const beside = (sent: number[], more: Partial<SampledReplies> = {}): SampledReplies => ({
  sent,
  asked: 40,
  wrong: [],
  took_us: [],
  ...more,
});
const load = (requests: number, bytes: number | null) =>
  ({ requests, reply_bytes: bytes, connections: CONNECTIONS }) as NonNullable<Loaded["load"]>;
const checked = (
  requests: number,
  bytes: number | null,
  at_rest: IdleReplies[],
  sampled: SampledReplies,
): CheckedLoad => ({ load: load(requests, bytes), servers: [{ at_rest, sampled }] });
const textOf = (one: CheckedLoad) => otherReplies([one])[0]?.text;

test("bytes that follow from the replies at rest are no matter, those under way left out", () => {
  const right = (bytes: number) => textOf(checked(10_000, bytes, [rest(11_157)], beside([10_050])));
  assert.equal(right(10_000 * 11_157), undefined);
  assert.equal(right(10_050 * 11_157), undefined);
  assert.match(right(9_900 * 11_157)!, /^under load replies were 11 045 bytes in the mean/);
  assert.match(right(10_200 * 11_157)!, /recorded 11 157$/);
});

test("a share of replies of another size is named where samples say which size", () => {
  const wrong = [{ times: 35, status: 200, body_bytes: 54, text: "GET /: body is another one" }];
  const bytes = 10_000 * (0.17 * 11_157 + 0.83 * 204);
  assert.equal(
    textOf(checked(10_000, bytes, [rest(11_157)], beside([10_050], { wrong }))),
    "under load 83 % of replies were 54 bytes, recorded 11 007; 35 of 40 sampled replies were wrong: GET /: body is another one",
  );
});

test("sampled replies of another status are named by both", () => {
  const wrong = [{ times: 12, status: 503, body_bytes: 11_007, text: "GET /: status is 503" }];
  assert.equal(
    textOf(checked(10_000, 10_000 * 11_157, [rest(11_157)], beside([10_050], { wrong }))),
    "under load 12 of 40 sampled replies were 503, recorded 200",
  );
  const one = { ...beside([10_050], { wrong: [{ ...wrong[0]!, times: 1 }] }), asked: 1 };
  assert.equal(
    textOf(checked(10_000, 10_000 * 11_157, [rest(11_157)], one)),
    "under load 1 of 1 sampled replies were 503, recorded 200",
  );
});

test("sizes that vary have bounds, of each kind of request by how often it was sent", () => {
  const kinds = [rest(200, 220), rest(1_000, 1_400)];
  const of = (mean: number) => textOf(checked(10_000, 10_000 * mean, kinds, beside([7_500, 2_550])));
  assert.equal(of(450), undefined);
  assert.match(of(330)!, /^under load replies were 330 bytes in the mean with their heads, recorded 403 to 519$/);
  assert.ok(of(530));
});

test("chunks may be cut otherwise under load, and heads be others for another generator", () => {
  const mean = (at_rest: IdleReplies, sampled: Partial<SampledReplies> = {}) =>
    textOf(checked(10_000, 10_000 * 1_090, [at_rest], beside([10_000], sampled)));
  assert.ok(mean(rest(1_000)));
  assert.equal(mean(rest(1_000, 1_000, { chunked: true })), undefined);
  assert.equal(mean(rest(1_000), { slack_bytes: 160 }), undefined);
});

test("heads that differ for their connection are no other replies, and no two equal numbers are told as different", () => {
  const mean = (bytes: number, more: Partial<IdleReplies> = {}) =>
    textOf(checked(100_000, 100_000 * bytes, [rest(162, 162, more)], beside([100_000])));
  assert.equal(mean(161.55, { loose_bytes: 3 }), undefined);
  assert.match(mean(150, { loose_bytes: 3 })!, /were 150 bytes .* recorded 159 to 165$/);
  assert.match(mean(161.55)!, /were 161\.6 bytes in the mean with their heads, recorded 162\.0$/);
});

test("what is not known is not held against a server", () => {
  const unasked = rest(0, 0, { replies: 0, statuses: [], bytes: null, body_bytes: null });
  assert.equal(textOf(checked(10_000, 5, [unasked], beside([10_000]))), undefined);
  assert.equal(textOf(checked(10_000, 5_000_000, [rest(100), unasked], beside([5_000, 5_000]))), undefined);
  assert.ok(textOf(checked(10_000, 5_000_000, [rest(100), unasked], beside([10_000, 0]))), "nothing unknown was sent");
  assert.equal(textOf(checked(10_000, null, [rest(100)], beside([10_000]))), undefined);
  const old: CheckedLoad = { load: load(10_000, 5), servers: [{ sampled: null }] };
  assert.deepEqual(otherReplies([old]), []);
});

test("of servers together their bytes are one sum, and samples say whose replies were wrong", () => {
  const wrong = [{ times: 5, status: 200, body_bytes: 4, text: "GET /: body" }];
  const together = (bytes: number, first: Partial<SampledReplies>, second: Partial<SampledReplies>): CheckedLoad => ({
    load: load(20_000, bytes),
    servers: [
      { at_rest: [rest(1_000)], sampled: beside([10_000], first) },
      { at_rest: [rest(2_000)], sampled: beside([10_000], second) },
    ],
  });
  assert.equal(textOf(together(30_000_000, {}, {})), undefined);
  assert.match(textOf(together(25_000_000, {}, {}))!, /^under load replies of servers together were 1 250 bytes/);
  assert.equal(textOf(together(25_000_000, {}, { wrong })), undefined, "the other one is known");
  assert.match(textOf(together(25_000_000, { wrong }, {}))!, /^under load 5 of 40 sampled replies were wrong/);
});

test("a load of which no reply was right says nothing", () => {
  const all = beside([10_050], { wrong: [{ times: 40, status: 503, body_bytes: 54, text: "status is 503" }] });
  const server = { at_rest: [rest(11_157)], sampled: all };
  assert.deepEqual(noneRightMark(load(10_000, 10_000 * 204), server), {
    code: "no-right-reply",
    effect: "voids",
    text: "under load 40 of 40 sampled replies were 503, recorded 200",
  });
  assert.equal(noneRightMark(load(10_000, 10_000 * 1_000), server), undefined, "its bytes show right ones");
  assert.equal(noneRightMark(load(10_000, null), { ...server, sampled: { ...all, asked: 41 } }), undefined);
  const few = { ...all, asked: 2, wrong: [{ ...all.wrong[0]!, times: 2 }] };
  assert.equal(noneRightMark(load(10_000, null), { ...server, sampled: few }), undefined, "two are too few");
});

test("over HTTP/2, whose heads are compressed, bodies alone are compared", () => {
  const textOfBodies = (bytes: number) => {
    const at_rest = [rest(11_157, 11_157, { bytes: null })];
    const { servers } = checked(10_000, null, at_rest, beside([10_050]));
    return textOf({ servers, load: { ...load(10_000, 40 * 10_000), body_bytes: bytes } });
  };
  assert.equal(textOfBodies(10_000 * 11_007), undefined);
  assert.equal(textOfBodies(9_000 * 11_007), "under load replies were 9 906 bytes in the mean, recorded 11 007");
});

test("sizes that vary are another only beyond the errors of the mean and of the load, and the mark says how unlikely", () => {
  // One reply in a hundred has 155 000 bytes: the mean of 1 000 is 1 840, its error 490.
  const skewed = (low: number, high: number, more: Partial<IdleReplies> = {}) =>
    rest(low, high, { replies: 1_000, mean_bytes: [1_840, 490], ...more });
  const mean = (bytes: number, one: IdleReplies) => textOf(checked(50_000, 50_000 * bytes, [one], beside([50_000])));
  assert.equal(mean(1_700, skewed(292, 155_077)), undefined);
  assert.match(
    mean(2_400, skewed(292, 2_000, { mean_bytes: [340, 5] }))!,
    /\(\d+ standard errors apart, by chance less/,
  );
  assert.equal(mean(2_400, skewed(292, 2_000)), undefined, "one error of the mean");
  assert.match(mean(200, skewed(292, 2_000, { mean_bytes: [340, 5], replies: 20 }))!, /standard errors apart/);
  const few = skewed(280, 300, { mean_bytes: [290, 1], replies: 20 });
  assert.equal(mean(1_729, few), undefined, "twenty replies may have missed the large ones");
  assert.match(mean(1_729, rest(280, 300))!, /recorded 280 to 300$/, "without a mean the bounds decide");
});
