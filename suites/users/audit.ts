import { seeded } from "../seeded.ts";
import { type Audit, expectReply, type SentLoad, serialNumber, type Target, WrongAnswer } from "../suite.ts";
import { encodeUser } from "../../stores/user.ts";
import { expectNobody, expectUser, NOT_FOUND, type Served } from "./checks.ts";
import { CREATED_FROM, createdUserMaker } from "./workloads.ts";

/** Users requested that loads certainly created, drawn besides the first and last of each thread. */
const DRAWN = 32;
/** Threads of all loads looked at closely; the first and the last are among them. */
const MOST_THREADS = 16;
/** A load no observation has: numbers of its lanes are never sent, and are below 2^32. */
const NEVER_LOADED = 7;

/** Requests one thread of one load sent to create users. */
interface Lane {
  readonly load: number;
  readonly thread: number;
  readonly sent: number;
  /** So many of them, the first ones, were certainly answered. */
  readonly certain: number;
}

function lanesOf(loads: readonly SentLoad[], template: number): Lane[] {
  return loads.flatMap(({ load, sent, connections }) =>
    sent.map((counts, thread) => {
      const creates = counts[template] ?? 0;
      return { load, thread, sent: creates, certain: Math.max(0, creates - connections) };
    })
  );
}

const serialOf = ({ load, thread }: Pick<Lane, "load" | "thread">, n: number) =>
  serialNumber(CREATED_FROM, load, thread, n);

/** Serial numbers to look for: ends of each lane and a seeded sample in proportion to what lanes sent. */
function sampleOf(lanes: readonly Lane[]): number[] {
  const used = lanes.filter(({ certain }) => certain > 0);
  const step = Math.max(1, Math.ceil(used.length / MOST_THREADS));
  const looked = used.filter((_, n) => n % step === 0 || n === used.length - 1);
  const total = used.reduce((sum, { certain }) => sum + certain, 0);
  const random = seeded(total);
  const drawn = Array.from({ length: total === 0 ? 0 : DRAWN }, () => {
    let place = Math.floor(random() * total);
    const lane = used.find(({ certain }) => (place -= certain) < 0)!;
    return serialOf(lane, place + lane.certain);
  });
  return [...new Set([...looked.flatMap((lane) => [serialOf(lane, 0), serialOf(lane, lane.certain - 1)]), ...drawn])];
}

/** Serial numbers that were never sent: what follows the last of each lane, and a lane no load has. */
function neverSent(lanes: readonly Lane[]): number[] {
  const after = lanes.slice(-MOST_THREADS).map((lane) => serialOf(lane, lane.sent));
  return [...after, serialNumber(CREATED_FROM, NEVER_LOADED, 0, 0)];
}

/**
 * Sees after loads that create users that those certainly answered are there byte for byte and that nobody else is.
 * @param template place of the creating template in the mix
 */
export function createdUsersAudit({ dataSeed }: Served, loads: readonly SentLoad[], template: number): Audit {
  return {
    name: "users that loads created are found, byte for byte",
    async run(target) {
      const lanes = lanesOf(loads, template);
      const userOf = createdUserMaker(dataSeed);
      const [wanted, absent] = [sampleOf(lanes), neverSent(lanes)];
      for (const serial of wanted) await expectUser(target, userOf(serial));
      for (const serial of absent) await expectNobody(target, userOf(serial).id);
      const created = lanes.reduce((sum, { certain }) => sum + certain, 0);
      return {
        replies: wanted.length + absent.length,
        facts: { certainly_created: created, looked_for: wanted.length },
      };
    },
  };
}

/** Counts of the app while two processes wrote one file; see contention.ts. */
export type Contention = Readonly<Record<"created" | "busy" | "other_writes" | "other_busy" | "rows", number>>;

/**
 * Looks at a file after loads that contended for it. Its rows must be the data set's, one for each 201, and those of the
 * other process; the app must have answered each request.
 */
export function contentionAudit({ size, dataSeed }: Served, loads: readonly SentLoad[]): Audit {
  return {
    name: "the file holds what was answered with 201, and nothing of what was answered with 503",
    async run(target) {
      const lanes = lanesOf(loads, 0);
      const userOf = createdUserMaker(dataSeed);
      const facts = await contentionOf(target);
      const { created, busy, other_writes, rows } = facts;
      const due = size + created + other_writes;
      if (rows !== due) throw new WrongAnswer(`rows: ${rows}, expected ${size} + ${created} + ${other_writes}`);
      const [most, least] = [
        lanes.reduce((sum, { sent }) => sum + sent, 0),
        lanes.reduce((sum, { certain }) => sum + certain, 0),
      ];
      if (created + busy < least || created + busy > most) {
        throw new WrongAnswer(`${created} created and ${busy} busy, expected ${least} to ${most} together`);
      }
      const [sampled, absent] = [sampleOf(lanes), neverSent(lanes)];
      for (const serial of sampled) await expectUserOrNobody(target, userOf(serial));
      for (const serial of absent) await expectNobody(target, userOf(serial).id);
      return { replies: 1 + sampled.length + absent.length, facts };
    },
  };
}

async function contentionOf(target: Target): Promise<Contention> {
  const { body } = await expectReply(target, { path: "/contention" }, { status: 200 });
  return JSON.parse(body);
}

async function expectUserOrNobody(target: Target, user: Parameters<typeof encodeUser>[0]): Promise<void> {
  const path = `/users/${user.id}`;
  const { status, body } = await target.send("GET", path);
  const right = status === 404 ? NOT_FOUND : encodeUser(user);
  if ((status !== 200 && status !== 404) || body !== right) {
    throw new WrongAnswer(`GET ${path}: status ${status}, body ${JSON.stringify(body.slice(0, 120))}`, status);
  }
}
