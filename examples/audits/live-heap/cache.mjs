// A cache of some 150 MB that lives as long as the server, and what a request makes of it: one record and twenty others.
// After oven-sh/bun at 8b045f0 (branch farm/e2f93162/heap-growth-characterization), bench/heap-growth/shared.js.
const LIVE_MB = 150, RECORD_BYTES = 400;

const recordOf = (id) => ({
  id,
  name: `item-${id}`,
  created: Date.now(),
  tags: [`t${id % 7}`, `t${id % 11}`, `t${id % 13}`],
  meta: { score: (id * 2_654_435_761) >>> 0, group: id % 100, flags: [id & 1, id & 2, id & 4] },
  blob: "x".repeat(64),
});

const many = Math.floor(LIVE_MB * 1024 * 1024 / RECORD_BYTES);
const records = new Map(Array.from({ length: many }, (_, id) => [id, recordOf(id)]));

/** The reply to a request: its record, and twenty others in part. Each 64th record is made anew. */
export function replyTo(text, query) {
  const id = (parseInt(text, 10) >>> 0) % many;
  const rec = records.get(id) ?? recordOf(id);
  const related = [];
  for (let n = 1; n <= 20; n++) {
    const other = records.get((id + n * 97) % many);
    related.push({ id: other.id, name: other.name, score: other.meta.score });
  }
  if ((id & 63) === 0) records.set(id, recordOf(id));
  return { ok: true, q: query, rec, related, ts: Date.now() };
}
