import { seeded } from "../seeded.ts";
import {
  type Audit,
  type Check,
  expectReply,
  type SentLoad,
  serialNumber,
  type Target,
  WrongAnswer,
} from "../suite.ts";
import { PUT_FROM } from "./requests.ts";
import { keyName, loadedText, NO_KEY, REMOVED, serialIn, STORED, TEXT_LIMIT_BYTES, TOO_LARGE } from "./texts.ts";

/** Keys requested besides the first and last. */
const DRAWN = 6;

/** The texts that a server should keep. */
export interface Kept {
  readonly keys: number;
  /** True if loads put texts: then a key has the text it was loaded with or one of those. */
  readonly changes: boolean;
}

const TEXT = { "content-type": "text/plain" };

const got = (target: Target, key: string, status: number, body: string | ((body: string) => boolean)) =>
  expectReply(target, { path: `/${key}` }, { status, body });
const sent = (target: Target, method: string, path: string, status: number, answer: string, body?: string) =>
  expectReply(target, { method, path, ...(body === undefined ? {} : { body, headers: TEXT }) }, {
    status,
    body: answer,
  });

/** One request: the server answers at all. */
export function alive({ keys, changes }: Kept): Check {
  return { name: "the first key is answered", run: (target) => readBack(target, { keys, changes }, [0]) };
}

async function readBack(target: Target, { keys, changes }: Kept, wanted: readonly number[]): Promise<number> {
  for (const key of wanted) {
    const right = changes ? (text: string) => serialIn(text, key) !== undefined : loadedText(key);
    await got(target, keyName(keys, key), 200, right);
  }
  return wanted.length;
}

/** The first key, the last and some others. */
function keysFrom(random: () => number, keys: number): number[] {
  return [0, keys - 1, ...Array.from({ length: DRAWN }, () => Math.floor(random() * keys))];
}

/** Returns the checks of every server, in whatever language it is written. They remove the texts they put. */
export function checks(kept: Kept, seed: number): readonly Check[] {
  const random = seeded(seed);
  const wanted = [...new Set(keysFrom(random, kept.keys))];
  const unused = `check-${seed}`;
  const texts = [`${seed}`, "", "無駄\n\t“quoted” & <b>", "x".repeat(TEXT_LIMIT_BYTES), " a "];
  return [
    { name: "keys have the text they were given", run: (target) => readBack(target, kept, wanted) },
    {
      name: "a text that is put is read back, replaced and removed",
      async run(target) {
        const path = `/${unused}`;
        await got(target, unused, 404, NO_KEY);
        for (const text of texts) {
          await sent(target, "POST", path, 200, STORED, text);
          await got(target, unused, 200, text);
        }
        await sent(target, "DELETE", path, 200, REMOVED);
        await got(target, unused, 404, NO_KEY);
        return 2 * texts.length + 3;
      },
    },
    {
      name: "what nobody put is answered with 404",
      async run(target) {
        const keys = ["", "Test", "test-", `test-${kept.keys}`, "test/0", "te%2Fst", "%ff", "favicon.ico"];
        for (const key of keys) await got(target, key, 404, NO_KEY);
        await sent(target, "DELETE", `/nobody-${seed}`, 404, NO_KEY);
        await sent(target, "PUT", `/${keyName(kept.keys, 0)}`, 404, NO_KEY, "text");
        await sent(target, "POST", "/a/b", 404, NO_KEY, "text");
        await sent(target, "POST", "/a%20b", 404, NO_KEY, "text");
        return keys.length + 4;
      },
    },
    {
      name: "a text above the limit is refused with 413",
      async run(target) {
        const key = `large-${seed}`;
        await sent(target, "POST", `/${key}`, 413, TOO_LARGE, "x".repeat(TEXT_LIMIT_BYTES + 1));
        await got(target, key, 404, NO_KEY);
        return 2;
      },
    },
  ];
}

/**
 * Sees after loads that put texts that each key requested has one of those that were sent, or its first where it may have
 * got none; with one key, a text of the last load that certainly put any.
 * @param template place of the putting template in the mix
 */
export function putsAudit({ keys }: Kept, loads: readonly SentLoad[], template: number): Audit {
  return {
    name: "keys have a text that was put",
    async run(target) {
      const lanes = loads.flatMap(({ load, sent, connections }) =>
        sent.map((counts, thread) => ({ load, thread, puts: counts[template] ?? 0, connections }))
      );
      const certain = lanes.filter(({ puts, connections }) => puts > connections);
      const last = Math.max(...certain.map(({ load }) => load));
      const total = lanes.reduce((sum, { puts }) => sum + puts, 0);
      const wanted = [...new Set(keysFrom(seeded(total), keys))];
      let changed = 0;
      for (const key of wanted) {
        const path = `/${keyName(keys, key)}`;
        const { body } = await expectReply(target, { path }, { status: 200 });
        const serial = serialIn(body, key);
        const lane = lanes.find(({ load, thread, puts }) => {
          const n = Number(serial) - serialNumber(PUT_FROM, load, thread, 0);
          return n >= 0 && n < puts;
        });
        const wrong = (what: string): never => {
          throw new WrongAnswer(`GET ${path}: ${what}: ${JSON.stringify(body.slice(-40))}`);
        };
        if (serial === undefined) wrong("no text of this key");
        if (serial !== "loaded" && lane === undefined) wrong("a text that was never put");
        if (keys === 1 && certain.length > 0 && (lane === undefined || lane.load < last)) {
          wrong("an earlier text than the last load put");
        }
        if (serial !== "loaded") changed += 1;
      }
      return { replies: wanted.length, facts: { put: total, looked_for: wanted.length, changed } };
    },
  };
}
