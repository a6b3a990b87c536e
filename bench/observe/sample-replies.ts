import { createRandom } from "../basics/random.ts";
import { splitMix } from "../generators/request-mix.ts";
import { within } from "../machine/clock.ts";
import type { Asking } from "./check-replies.ts";
import type { SampledReplies } from "../record/replies-schema.ts";
import type { Check, Oracle, Reply, RequestPlan } from "../../suites/suite.ts";

/** The least interval of samples in ms, and their largest share of all requests. */
const EVERY_MS = 250;
const MOST_SHARE = 0.005;
/** Connections are made first. */
const FIRST_MS = 100;
/** Time limit for the last reply after a load, in ms. */
const LAST_MS = 500;

/** A server under load. */
interface LoadedServer extends Asking {
  readonly requests: RequestPlan;
  readonly oracle: Oracle;
  /** The number of earlier loads. Each has its own checks: a check interrupted by a load's end may leave data behind. */
  readonly loads: number;
  /** Its expected requests a second; null if unknown. */
  readonly perSecond: number | null;
  readonly windowMs: number;
}

/** Findings of the oracle's requests during a load. */
type Sampled = Pick<SampledReplies, "asked" | "wrong" | "took_us">;

/**
 * Compares replies of a server while a generator loads it: the oracle's samples, or all its checks where the load changes
 * nothing. One request at a time and so seldom that neither side notices.
 */
export function sampleReplies(server: LoadedServer, seed: number, timeoutMs: number): { end(): Promise<Sampled> } {
  const { url, from, requests, perSecond, windowMs } = server;
  const everyMs = Math.max(EVERY_MS, perSecond === null ? 0 : 1_000 / (MOST_SHARE * Math.max(perSecond, 1e-3)));
  const found = { asked: 0, wrong: [] as SampledReplies["wrong"], took_us: requests.mix.map((): number[] => []) };
  const checkAt = checksOf(server, seed);
  if (checkAt === null || everyMs > 2 * windowMs) return { end: () => Promise.resolve(found) };
  let over = false, wake = () => {};
  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, ms));
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const client = from.client(url, timeoutMs);
  const placeOf = templatesOf(requests);
  let last: Reply | null = null, nextMs = performance.now() + FIRST_MS;
  const paced = {
    // A reply may name the server's address.
    url,
    async send(...sent: Parameters<typeof client.send>) {
      await sleep(nextMs - performance.now());
      if (over) throw new Ended();
      const started = performance.now();
      nextMs = started + everyMs;
      last = await client.send(...sent);
      found.asked++;
      if (!over) found.took_us[placeOf(sent[0], sent[1])]?.push(Math.round(1e3 * (performance.now() - started)));
      return last;
    },
  };
  const work = async () => {
    for (let n = 0; !over; n++) {
      const wrong = await checkAt(n).run(paced).then(() => null, (error: Error) => error);
      // Other checks find why a connection broke.
      if (wrong !== null && wrong.name !== "WrongAnswer") {
        if (over || wrong instanceof Ended) return;
        nextMs = performance.now() + everyMs;
        continue;
      }
      if (wrong !== null) note(found.wrong, wrong.message, last!);
    }
  };
  const working = work();
  return {
    async end() {
      over = true;
      wake();
      await within(LAST_MS, working);
      client.close();
      return found;
    },
  };
}

/** Thrown in place of asking when the load is over. */
class Ended extends Error {}

/** Returns the checks that may run during a load, starting at another one for each load; null if none may. */
function checksOf({ oracle, requests, loads }: LoadedServer, drawSeed: number): ((n: number) => Check) | null {
  // A server that may say it is busy does so under load.
  const mayBeBusy = requests.mix.some(({ expect }) =>
    expect.some((one) => one > 399) && expect.some((one) => one < 400)
  );
  const seed = (drawSeed ^ Math.imul(0x9e3779b9, loads)) >>> 0;
  const random = createRandom(seed);
  if (oracle.sample !== undefined) {
    return mayBeBusy ? null : () => oracle.sample!(Math.floor(random() * 2 ** 32));
  }
  // Checks of an oracle with an audit do not know what to expect after writes of other clients.
  if (oracle.audit !== undefined) return null;
  const checks = oracle.checks(seed);
  const first = Math.floor(random() * checks.length);
  return checks.length === 0 ? null : (n) => checks[(first + n) % checks.length]!;
}

function note(wrong: SampledReplies["wrong"], text: string, { status, body, bytes }: Reply): void {
  const known = wrong.find((one) => one.text === text);
  if (known !== undefined) known.times++;
  else if (wrong.length < MOST_KINDS) {
    wrong.push({ times: 1, status, body_bytes: bytes?.body ?? Buffer.byteLength(body), text });
  } else wrong.at(-1)!.times++;
}

/** The most kinds of wrong replies that are listed separately. */
const MOST_KINDS = 20;

/** The place of a request's template; -1 if it has none. */
function templatesOf(requests: RequestPlan): (method: string, path: string) => number {
  const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const patterns = splitMix(requests).map(({ method, path }) => ({
    method,
    path: new RegExp(`^${path.map((part) => typeof part === "string" ? escaped(part) : "[^/]*").join("")}$`),
  }));
  return (method, path) => patterns.findIndex((one) => one.method === method && one.path.test(path));
}
