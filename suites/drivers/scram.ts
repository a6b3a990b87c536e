/** The client's side of SCRAM-SHA-256 (RFC 5802, RFC 7677), by which PostgreSQL asks for a password. */
import { Buffer } from "node:buffer";
import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";

/** Header of GS2: nothing is bound to a channel, and nobody asks for another. */
const HEADER = "n,,";

const hmac = (key: Buffer, text: string) => createHmac("sha256", key).update(text).digest();

/** The first message of a client, and its answer. */
interface Scram {
  readonly first: string;
  /** Throws where the server's answer is to another login, or is none. */
  proofFor(answer: string): string;
}

/**
 * Begins a login.
 * @param user PostgreSQL wants none here: the connection has named it
 * @param nonce another one each time
 */
export function scram(password: string, user = "", nonce: string = randomBytes(18).toString("base64")): Scram {
  const bare = `n=${user},r=${nonce}`;
  return {
    first: HEADER + bare,
    proofFor(answer) {
      const [, both, salt, times] = /^r=([^,]+),s=([^,]+),i=(\d+)$/.exec(answer) ?? [];
      if (both === undefined || !both.startsWith(nonce)) throw new Error("the answer is to another login");
      const salted = pbkdf2Sync(password, Buffer.from(salt!, "base64"), Number(times), 32, "sha256");
      const key = hmac(salted, "Client Key");
      const last = `c=${Buffer.from(HEADER).toString("base64")},r=${both}`;
      const signature = hmac(createHash("sha256").update(key).digest(), [bare, answer, last].join(","));
      return `${last},p=${Buffer.from(key.map((byte, n) => byte ^ signature[n]!)).toString("base64")}`;
    },
  };
}

/** Codes of PostgreSQL's message `R`: no login is needed, a login begins, its proof is wanted, or it is proven. */
const ASKS = { nothing: 0, begin: 10, proof: 11, proven: 12 } as const;

/** Returns what answers each message `R` of PostgreSQL: a text for a message `p`, null for nothing. Throws for another way. */
export function loginBy(password: string): (message: Buffer) => Buffer | null {
  const login = scram(password);
  return (message) => {
    const what = message.readInt32BE(0);
    if (what === ASKS.begin) {
      const length = Buffer.alloc(4);
      length.writeInt32BE(Buffer.byteLength(login.first));
      return Buffer.concat([Buffer.from("SCRAM-SHA-256\0"), length, Buffer.from(login.first)]);
    }
    if (what === ASKS.proof) return Buffer.from(login.proofFor(message.toString("utf8", 4)));
    if (what === ASKS.nothing || what === ASKS.proven) return null;
    throw new Error(`PostgreSQL asks for a password in way ${what}, which is not known here`);
  };
}
