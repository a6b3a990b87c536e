/**
 * wrk with its script against servers that write down what they are asked for. Longer than 300 lines because every kind of
 * draw is held against what really arrived.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { LoadResult } from "../bench/generators/generator.ts";
import { countOf } from "../bench/statistics/latency-histogram.ts";
import { idMaker } from "../stores/dataset/user-at.ts";
import { type Draw, type RequestPlan, serialNumber } from "../suites/suite.ts";
import { all, ask, ENOUGH, hex16, hex16Of, idOf, idsOf, idsPlan, type Request, SIZE } from "./sent-by-wrk.ts";
import { toolTest } from "./run-bench.ts";

const MISS = { share: 0.25, expect: [404] };
const indexOf = new Map(Array.from({ length: SIZE }, (_, index) => [idOf(index), index]));

/** Sent, errors due and errors allowed, over threads. */
function sums({ threads }: LoadResult) {
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  return {
    sent: threads[0]!.sent.map((_, n) => sum(threads.map(({ sent }) => sent[n]!))),
    due: sum(threads.map(({ errorsDue }) => errorsDue)),
    allowed: sum(threads.map(({ errorsAllowed }) => errorsAllowed)),
  };
}

/** Whether a count of draws, each a hit with a chance of `share`, is within 4.5 standard deviations of what it should be. */
function assertShare(what: string, hits: number, draws: number, share: number): void {
  const sigmas = Math.abs(hits - draws * share) / Math.sqrt(draws * share * (1 - share));
  assert.ok(sigmas < 4.5, `${what}: ${hits} of ${draws}, ${sigmas.toFixed(1)} sigma from a share of ${share}`);
}

toolTest("without misses wrk asks only for users there are, all over the data set alike", async () => {
  const asked = await ask({ plans: [idsPlan()], enough: ENOUGH });
  const ids = idsOf(all(asked));
  assert.ok(ids.length > 1_000, `${ids.length} requests`);
  assert.equal(all(asked)[0]!.head, `GET /users/${ids[0]} HTTP/1.1\r\nHost: 127.0.0.1:${asked.ports[0]}\r\n\r\n`);
  const tenths = new Array<number>(10).fill(0);
  const seen = new Set<number>();
  for (const id of ids) {
    const index = indexOf.get(id);
    assert.ok(index !== undefined, `${id} is nobody's`);
    tenths[Math.floor(index / SIZE * 10)]! += 1;
    seen.add(index);
  }
  tenths.forEach((count, tenth) => assertShare(`tenth ${tenth}`, count, ids.length, 0.1));
  assert.ok(seen.size > SIZE * 0.6 && Math.min(...seen) < 20 && Math.max(...seen) >= SIZE - 20, `${seen.size} seen`);
  assert.equal(sums(asked.result).due, 0);
});

toolTest("each 64 requests in a row ask for one number from each 64th, in orders of their own", async () => {
  const below = 64 * 100;
  const asked = await ask({ plans: [idsPlan({ below, as: "decimal" } as Partial<Draw>)], enough: ENOUGH });
  const numbers = idsOf(all(asked)).map(Number);
  const orders = new Set<string>();
  for (let n = 0; n + 64 <= numbers.length; n += 64) {
    const order = numbers.slice(n, n + 64).map((number) => Math.floor(number / 100));
    assert.deepEqual(order.toSorted((a, b) => a - b), Array.from({ length: 64 }, (_, stratum) => stratum));
    orders.add(order.join());
    for (let two = 0; two < 64; two += 2) assert.notEqual(order[two]! < 32, order[two + 1]! < 32, order.join());
  }
  assert.ok(orders.size > numbers.length / 64 / 2, `${orders.size} orders`);
  // Where in a 64th, and what comes first in a row, is left to chance.
  const within = numbers.filter((number) => number % 100 < 10);
  assertShare("first tenth of a 64th", within.length, numbers.length, 0.1);
  const first = numbers.filter((_, n) => n % 64 === 0).filter((number) => number < below / 2);
  assertShare("first of a row in the lower half", first.length, Math.ceil(numbers.length / 64), 0.5);
  const few = await ask({ plans: [idsPlan({ below: 3, as: "decimal" } as Partial<Draw>)], enough: ENOUGH });
  const drawn = idsOf(all(few)).map(Number);
  for (const number of [0, 1, 2]) {
    const count = drawn.filter((one) => one === number).length;
    // Two numbers share a 64th, which gives each its part by chance.
    assert.ok(Math.abs(count / drawn.length - 1 / 3) < 2 / 64, `${number}: ${count} of ${drawn.length}`);
  }
});

toolTest("what wrk counts is what the server was asked, and its raw histogram has one count a request", async () => {
  const { result, servers, beganMs } = await ask({ plans: [idsPlan()], threads: 2 });
  const streams = servers[0]!;
  const asked = streams.flat().length;
  assert.ok(asked - result.requests >= 0 && asked - result.requests <= 2, `asked ${asked}, counted ${result.requests}`);
  assert.equal(countOf(result.latency!), result.requests);
  assert.deepEqual(result.errors, { connect: 0, read: 0, write: 0, status: 0, timeout: 0 });
  const sent = result.threads.map((thread) => thread.sent[0]!);
  assert.deepEqual(sent.toSorted((a, b) => a - b), streams.map(({ length }) => length).toSorted((a, b) => a - b));
  for (const { sent, slots, startedUs } of result.threads) {
    const inSlots = slots.reduce((a, b) => a + b, 0);
    assert.ok(inSlots < sent[0]! && inSlots >= sent[0]! - 64, `${inSlots} in slots, ${sent[0]} sent`);
    // A batch is counted once its last request has been answered and before the next one is sent: there is its last slot.
    const fits = (stream: readonly Request[]) => {
      const slotOf = (ms: number) => Math.floor((1_000 * ms - startedUs) / result.slotUs) + 1;
      const begins = startedUs >= 1_000 * beganMs && startedUs < 1_000 * (stream[0]!.atMs + 1);
      const [last, next] = [stream[inSlots - 1]!, stream[inSlots]!];
      return begins && slots.length >= slotOf(last.atMs) && slots.length <= slotOf(next.atMs + 1);
    };
    const own = streams.filter(({ length }) => length === sent[0]);
    assert.ok(own.some(fits), `${slots.length} slots of ${result.slotUs} µs from ${startedUs} µs on`);
  }
});

toolTest("the same seed asks for the same users in the same order, another one for others", async () => {
  const wish = (seed: number) => ask({ plans: [idsPlan()], seed, enough: ENOUGH });
  const streams = [await wish(7), await wish(7), await wish(8)].map((asked) => idsOf(all(asked)));
  const length = Math.min(...streams.map((stream) => stream.length));
  assert.ok(length > 500, `${length} requests`);
  const [first, again, other] = streams.map((stream) => stream.slice(0, length)) as [string[], string[], string[]];
  assert.deepEqual(again, first);
  const same = other.filter((id, n) => id === first[n]).length;
  assert.ok(same < length * 0.02, `${same} of ${length} places have the same user`);
});

toolTest("two threads ask for different users, not one behind the other", async () => {
  const { servers } = await ask({ plans: [idsPlan()], threads: 2, enough: ENOUGH });
  assert.equal(servers[0]!.length, 2);
  const [one, two] = servers[0]!.map(idsOf) as [string[], string[]];
  const text = two.join();
  for (let n = 0; n + 4 < Math.min(one.length, 2_000); n += 100) {
    assert.ok(
      !text.includes(one.slice(n, n + 4).join()),
      `requests ${n} to ${n + 3} of one thread are also the other's`,
    );
  }
});

toolTest("the share of misses is kept, they are nobody's ids, and wrk knows how many it sent", async () => {
  const reply = ({ path }: Request) => indexOf.has(path.slice("/users/".length)) ? 200 : 404;
  const asked = await ask({ plans: [idsPlan({ miss: MISS } as Partial<Draw>)], reply, enough: ENOUGH });
  const ids = idsOf(all(asked));
  const misses = ids.filter((id) => !indexOf.has(id));
  assertShare("misses", misses.length, ids.length, 0.25);
  assert.ok(new Set(misses).size > misses.length * 0.99, "misses are hardly ever repeated");
  const { due, allowed } = sums(asked.result);
  assert.equal(due, misses.length);
  assert.equal(allowed, 0);
  assert.ok(due - asked.result.errors.status! >= 0 && due - asked.result.errors.status! <= 1);
});

toolTest("a miss share of one asks for nobody at all, and other keys for other users", async () => {
  const enough = ENOUGH;
  const nobody = await ask({ plans: [idsPlan({ miss: { share: 1, expect: [404] } } as Partial<Draw>)], enough });
  assert.ok(all(nobody).length > 500 && idsOf(all(nobody)).every((id) => !indexOf.has(id)));
  const ids = idsOf(all(await ask({ plans: [idsPlan({ as: hex16Of(43) })], enough })));
  const others = new Set(Array.from({ length: SIZE }, (_, index) => idMaker(43)(index)));
  assert.ok(ids.length > 500 && ids.every((id) => others.has(id)));
  const below = 2 ** 32 - 5;
  const decimal = idsPlan({ below, as: "decimal", miss: MISS } as Partial<Draw>);
  const last = idsOf(all(await ask({ plans: [decimal], enough })));
  const beyond = last.map(Number).filter((number) => number >= below);
  assertShare("misses", beyond.length, last.length, 0.25);
  assert.deepEqual(new Set(beyond), new Set([0, 1, 2, 3, 4].map((n) => below + n)));
});

toolTest("a mix keeps its weights and counts by template which errors are due and which may be", async () => {
  const asked = await ask({
    threads: 2,
    enough: ENOUGH,
    reply: ({ method }) => method === "DELETE" ? 404 : 200,
    plans: [{
      mix: [
        { weight: 5, path: "/users/{id}", expect: [200] },
        { weight: 3, method: "POST", path: "/users", body: "[{id},{n}]", expect: [201] },
        { weight: 2, method: "DELETE", path: "/users/{id}", expect: [204, 404] },
        { weight: 0, path: "/never", expect: [200] },
      ],
      draws: {
        id: { kind: "uniform", below: SIZE, miss: MISS },
        n: { kind: "uniform", below: SIZE, miss: { share: 0.5, expect: [201, 409] } },
      },
    }],
  });
  const requests = all(asked);
  const methods = ["GET", "POST", "DELETE"];
  const counts = methods.map((method) => requests.filter((request) => request.method === method).length);
  [0.5, 0.3, 0.2].forEach((share, n) => assertShare(methods[n]!, counts[n]!, requests.length, share));
  const { sent, due, allowed } = sums(asked.result);
  assert.deepEqual(sent, [...counts, 0]);
  // The statuses of a request are those of its first draw that misses: a POST's id comes before its n.
  const misses = (number: number) => number >= SIZE;
  let expectedDue = 0, expectedAllowed = 0;
  for (const { method, path, body } of requests) {
    const [id, n = 0] = method === "POST" ? JSON.parse(body) : [Number(path.slice("/users/".length))];
    if (misses(id)) expectedDue += 1;
    else if (misses(n) || method === "DELETE") expectedAllowed += 1;
  }
  assert.equal(due, expectedDue);
  assert.equal(allowed, expectedAllowed);
});

toolTest("serial numbers are the formula's from the first on, in every form, thread and load", async () => {
  const from = 5_000;
  const plan: Omit<RequestPlan, "pace"> = {
    mix: [{
      method: "POST",
      path: "/users?n={n}",
      headers: { "X-Number": "no. {n} is {id}", Accept: "*/*" },
      body: '{"name":"Zoë \\"{nobody}\\"","number":{n},"id":"{id}","nested":{"list":[{n}]}}',
      expect: [201],
    }],
    draws: { n: { kind: "serial", from }, id: { kind: "same", of: "n", as: hex16 } },
  };
  const seen = new Set<number>();
  for (const load of [0, 2]) {
    const { servers, result } = await ask({ plans: [plan], threads: 2, load, enough: ENOUGH });
    const streams = servers[0]!.map((stream) => stream.map(({ body }) => JSON.parse(body)["number"] as number));
    assert.equal(streams.length, 2);
    for (const [thread, { sent }] of result.threads.entries()) {
      const numbers = streams.find(([first]) => first === serialNumber(from, load, thread, 0));
      assert.ok(numbers !== undefined, `load ${load}, thread ${thread}: no stream begins with its first number`);
      assert.deepEqual(numbers, numbers.map((_, n) => serialNumber(from, load, thread, n)));
      assert.deepEqual(sent, [numbers.length]);
      for (const number of numbers) assert.ok(!seen.has(number), `${number} again`), seen.add(number);
    }
    for (const { path, headers, body } of servers[0]!.flat()) {
      const { number: n, id, name, nested } = JSON.parse(body);
      assert.deepEqual({ id, name, nested }, { id: idOf(n), name: 'Zoë "{nobody}"', nested: { list: [n] } });
      assert.equal(path, `/users?n=${n}`);
      assert.equal(headers["x-number"], `no. ${n} is ${id}`);
      assert.equal(headers["content-type"], "application/json");
      assert.equal(headers["content-length"], String(new TextEncoder().encode(body).length));
      assert.equal(headers["accept"], "*/*");
    }
  }
});

toolTest("zipf draws the first numbers as often as the law says, for an exponent of 1 too", async () => {
  for (const exponent of [0.99, 1]) {
    const names = Array.from({ length: 25 }, (_, n) => `k${n}`);
    const draws = Object.fromEntries(
      names.map((name): [string, Draw] => [name, { kind: "zipf", below: 50, exponent }]),
    );
    const path = names.map((name) => `/{${name}}`).join("");
    const requests = all(await ask({ plans: [{ mix: [{ path, expect: [200] }], draws }], enough: ENOUGH }));
    const numbers = requests.flatMap(({ path }) => path.slice(1).split("/").map(Number));
    assert.equal(numbers.length, requests.length * names.length);
    const weights = Array.from({ length: 50 }, (_, k) => (k + 1) ** -exponent);
    const sum = weights.reduce((a, b) => a + b);
    const counts = weights.map(() => 0);
    for (const k of numbers) counts[k]! += 1;
    weights.forEach((weight, k) => assertShare(`${exponent}: number ${k}`, counts[k]!, numbers.length, weight / sum));
  }
});

toolTest("hot keys have their share, rows are whole lines, and a number is the same in two forms", async () => {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-test-"));
  try {
    const lines = ['{"a":1}', '{"name":"Łukasz","b":[1,2,3]}', "", "2"];
    const file = join(folder, 'rows "of" a\\file.txt');
    writeFileSync(file, lines.join("\r\n") + "\n");
    const asked = await ask({
      plans: [{
        mix: [{
          method: "PUT",
          path: "/{key}/{id}",
          headers: { "X-Row": "<{row}>" },
          body: "{row}\n{row}",
          expect: [200],
        }],
        draws: {
          id: { kind: "same", of: "key", as: hex16 },
          key: { kind: "hot", below: SIZE, keys: 10, share: 0.9 },
          row: { kind: "rows", file },
        },
      }],
      enough: ENOUGH,
    });
    const requests = all(asked);
    const keys = requests.map(({ path }) => Number(path.split("/")[1]));
    assert.deepEqual(requests.map(({ path }) => path.split("/")[2]), keys.map(idOf));
    // The cold draws take any number, hot ones among them.
    assertShare("hot keys", keys.filter((key) => key < 10).length, keys.length, 0.9 + 0.1 * 10 / SIZE);
    assertShare("the hottest", keys.filter((key) => key === 0).length, keys.length, 0.09 + 0.1 / SIZE);
    assert.ok(keys.some((key) => key > SIZE / 2) && keys.every((key) => key < SIZE));
    for (const line of lines) {
      const hits = requests.filter(({ headers }) => headers["x-row"] === `<${line}>`).length;
      assertShare(`row ${line}`, hits, requests.length, 1 / lines.length);
    }
    assert.ok(requests.every(({ headers, body }) => {
      const row = headers["x-row"]!.slice(1, -1);
      return body === `${row}\n${row}` && headers["content-type"] === "application/json";
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

toolTest("rows that are not there end wrk with one line that names the file", async () => {
  const draws: RequestPlan["draws"] = { row: { kind: "rows", file: "/no/such/rows.txt" } };
  await assert.rejects(ask({ plans: [{ mix: [{ path: "/", body: "{row}", expect: [200] }], draws }] }), {
    message: /^cannot read the rows to draw from: \/no\/such\/rows\.txt: [^\n]+\n?$/,
  });
});

toolTest("a body longer than an argument arrives whole, and a method says when it has none", async () => {
  const body = `{"text":"${"0123456789é".repeat(12_000)}","n":{n}}`;
  const requests = all(
    await ask({
      plans: [{
        mix: [{ method: "POST", path: "/", body, expect: [200] }, { method: "POST", path: "/empty", expect: [200] }],
        draws: { n: { kind: "serial", from: 0 } },
      }],
      enough: 400,
    }),
  );
  const long = requests.filter(({ path }) => path === "/").map(({ body }) => body);
  assert.ok(long.length > 5 && long.length < requests.length);
  long.forEach((text, n) => assert.ok(text === body.replace("{n}", String(n)), `request ${n}`));
  for (const { path, headers, body } of requests) {
    if (path === "/empty") {
      assert.deepEqual([body, headers["content-length"], headers["content-type"]], ["", "0", undefined]);
    }
  }
});

toolTest("servers measured together are asked the same in the same order, each by a thread of its own", async () => {
  const plan: Omit<RequestPlan, "pace"> = {
    mix: [...idsPlan().mix, { method: "POST", path: "/users", body: "{n}", expect: [200] }],
    draws: { ...idsPlan().draws, n: { kind: "serial", from: 10 } },
  };
  const { servers, result } = await ask({ plans: [plan, plan], load: 1, enough: ENOUGH });
  assert.deepEqual(servers.map(({ length }) => length), [1, 1]);
  const [one, two] = servers.map(([stream]) => stream!.map(({ path, body }) => path + body)) as [string[], string[]];
  const length = Math.min(one.length, two.length);
  assert.ok(length > 300, `${length} requests`);
  assert.deepEqual(two.slice(0, length), one.slice(0, length));
  const posted = servers.map(([stream]) => stream!.filter(({ method }) => method === "POST").map(({ body }) => +body));
  posted.forEach((numbers) => assert.deepEqual(numbers, numbers.map((_, n) => serialNumber(10, 1, 0, n))));
  assert.equal(result.slotUs, 20_000);
  assert.deepEqual(result.threads.map(({ sent }) => sent[0]! + sent[1]!), [one.length, two.length]);
  assert.deepEqual(result.threads.map(({ sent }) => sent[1]), posted.map(({ length }) => length));
});

toolTest("of servers measured together wrk says whose replies had an error status", async () => {
  const refused = { mix: [{ path: "/refused", expect: [503] }], draws: {} };
  const { result } = await ask({
    plans: [idsPlan(), refused, idsPlan()],
    reply: ({ path }) => path === "/refused" ? 503 : 200,
    enough: ENOUGH,
  });
  const { status } = result.errors;
  assert.ok(status! > 0);
  assert.deepEqual(result.threads.map(({ failed }) => failed), [[0, 0, 0], [0, 0, status], [0, 0, 0]]);
});

toolTest("servers with plans of their own draw alike and each is counted by its own plan", async () => {
  const other: Omit<RequestPlan, "pace"> = {
    mix: [{ path: "/teapots/{index}", expect: [418] }],
    draws: { index: { kind: "uniform", below: SIZE } },
  };
  const { servers, result } = await ask({ plans: [idsPlan(), other, idsPlan()], enough: ENOUGH });
  const [one, two, three] = servers.map(([stream]) => stream!) as [Request[], Request[], Request[]];
  const length = Math.min(one.length, two.length, three.length);
  assert.ok(length > 200, `${length} requests`);
  const indexes = two.slice(0, length).map(({ path }) => Number(/^\/teapots\/(\d+)$/.exec(path)?.[1]));
  for (const ids of [one, three].map(idsOf)) assert.deepEqual(ids.slice(0, length), indexes.map(idOf));
  assert.deepEqual(result.threads.map(({ errorsDue }) => errorsDue), [0, two.length, 0]);
});

toolTest("a plain load sends the first path as it is and counts nothing", async () => {
  const asked = await ask({ plans: [idsPlan()], plain: true, enough: ENOUGH });
  assert.ok(all(asked).length > 500 && all(asked).every(({ path }) => path === "/users/{id}"));
  assert.deepEqual(asked.result.threads, [{ startedUs: 0, slots: [], sent: [0], errorsDue: 0, errorsAllowed: 0 }]);
});

toolTest("the latencies that the script reads from wrk's table are those that wrk counts out", async () => {
  const folder = mkdtempSync(join(tmpdir(), "latencies-"));
  // Every hundredth reply waits, so that values lie far apart.
  let asked = 0;
  const server = createServer((_, response) => void setTimeout(() => response.end("x"), ++asked % 100 === 0 ? 120 : 0));
  try {
    const port = await new Promise<number>((resolve) =>
      server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port))
    );
    const script = fileURLToPath(new URL("../bench/generators/wrk.lua", import.meta.url));
    const both = join(folder, "both.lua");
    writeFileSync(
      both,
      `dofile(${JSON.stringify(script)})
      local report = done
      function done(summary, latency)
        report(summary, latency)
        local said = {}
        for n = 1, #latency do said[n] = string.format("[%d,%d]", latency(n)) end
        io.write("counted out [", table.concat(said, ","), "]\\n")
      end`,
    );
    const env = { ...process.env, LUA_PATH: `${dirname(script)}/?.lua;;` };
    const { stdout } = await promisify(execFile)("wrk", [
      "-t1",
      "-c20",
      "-d1s",
      "-s",
      both,
      `http://127.0.0.1:${port}/`,
    ], { env });
    const ours = /"latency":(\[.*\])\}/.exec(stdout)![1]!, theirs = /counted out (\[.*\])/.exec(stdout)![1]!;
    assert.ok(JSON.parse(ours).length > 20, stdout);
    assert.equal(ours, theirs);
  } finally {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
  }
});
