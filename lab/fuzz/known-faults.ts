/** A class of requests that a framework answers with a 5xx, though the client is at fault. */
interface KnownFault {
  /** Titles of the apps. */
  readonly apps: readonly string[];
  /** Names of mutations. */
  readonly of: readonly string[];
  readonly why: string;
}

const HOSTS = ["host: empty", "host: no host", "host: with signs of a URL", "path: absolute form without a sound host"];

/** Faults of frameworks, for which their sample apps are not to blame. */
const KNOWN_FAULTS: readonly KnownFault[] = [
  {
    apps: ["frameworks oak"],
    of: [
      "path: broken percent-encoding",
      "path: percent-encoding that is not UTF-8",
      "wire: a byte of the request changed",
    ],
    why: "oak 14.1.0 decodes the path and answers what cannot be decoded with 500 where 400 would be right.",
  },
  {
    apps: ["frameworks oak", "frameworks h3", "frameworks itty-router"],
    of: [...HOSTS, "method: CONNECT", "wire: a byte of the request changed"],
    why:
      "oak 14.1.0, h3 2.0.8 and itty-router 6.0.0 make a URL of what Deno and Bun hand on, and answer 500 where it " +
      "makes none.",
  },
  {
    apps: ["frameworks koa"],
    of: ["path: absolute form without a sound host"],
    why: "Koa 3.3.0 makes a URL of an absolute form, and answers 500 where it is none.",
  },
];

/** True if a 5xx is known of a framework. */
export const isKnownFault = (app: string, mutation: string): boolean =>
  KNOWN_FAULTS.some(({ apps, of }) => apps.includes(app) && of.includes(mutation));
