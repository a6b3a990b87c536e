/** Connections that get no reply while others do: counted by real generators against real servers, and told. */
import assert from "node:assert/strict";
import { observedFigures } from "../bench/judge/observed-figures.ts";
import { starvedMark } from "../bench/judge/starved.ts";
import { tryServer } from "./faulty-servers.ts";
import { toolTest } from "./run-bench.ts";

toolTest("of a pool of four places wrk's other connections are counted, and no quantile is told", async () => {
  const line = await tryServer({ behaviours: ["serves-four"] });
  const { load, members: [member] } = line;
  const { unanswered, stuck, replies } = load!.by_connection!;
  // A machine that stands still for 50 ms lets four others have a place.
  assert.deepEqual([load!.connections, unanswered > 30, stuck >= 0, replies![0]], [50, true, true, 0]);
  const { p50_us, p99_us, requests_per_second } = observedFigures({ ...line, member: member! });
  assert.deepEqual([p50_us, p99_us, requests_per_second! > 0], [null, null, true]);
  assert.match(
    starvedMark([line])!.text,
    /^\d+ connections of 50 got no reply.* in 1 of 1 window; replies each: 0 to /,
  );
});

toolTest("a connection whose reply is lost once in 20 000 is found stuck", async () => {
  const line = await tryServer({ behaviours: ["loses-a-reply"] });
  const { unanswered, stuck } = line.load!.by_connection!;
  assert.ok(unanswered + stuck >= 1, JSON.stringify([line.load!.requests, line.load!.by_connection]));
  assert.ok(unanswered + stuck <= 1 + line.load!.requests / 20_000);
});

toolTest("a sound server serves each connection, by turns with others, too", async () => {
  const alone = await tryServer({});
  const { unanswered, stuck, replies } = alone.load!.by_connection!;
  assert.deepEqual([unanswered, stuck], [0, 0]);
  assert.ok(replies![0] > 0 && replies![1] <= replies![2], JSON.stringify(replies));
  assert.equal(starvedMark([alone]), null);
  const { load, members } = await tryServer({ behaviours: ["serves-four"], servers: 2 });
  assert.equal(load?.by_connection, undefined);
  // Each halt frees its places.
  const [pool, beside] = members.map(({ by_connection: by }) => by!);
  assert.ok(pool!.replies![0] < beside!.replies![0], JSON.stringify([pool, beside]));
  assert.equal(beside!.unanswered, 0);
});
