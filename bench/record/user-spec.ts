import { z } from "zod";
import { bodyText, BOUNDS, list, longText } from "./bounds.ts";
import { servedSchema } from "./server-schema.ts";

const name = longText.regex(/^[A-Za-z0-9][\w.-]*$/, "is not letters, digits, dots and dashes");
const status = z.int().min(100).max(599);
const statuses = list(status).min(1, "is empty");
const share = z.number().min(0).max(1);
const miss = z.strictObject({ share, expect: statuses }).optional();
const as = z.union([
  z.literal("decimal"),
  z.strictObject({ hex16: z.tuple([z.int(), z.int(), z.int(), z.int()]) }),
]).optional();
const below = z.int().min(1).max(2 ** 32);

/** The value of a placeholder; see `Draw` in suites/suite.ts. */
export const drawSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("uniform"), below, miss, as }),
  z.strictObject({ kind: z.literal("zipf"), below, exponent: z.number().positive(), miss, as }),
  z.strictObject({ kind: z.literal("hot"), below, keys: z.int().positive(), share, miss, as }),
  z.strictObject({ kind: z.literal("serial"), from: z.int().nonnegative(), as }),
  z.strictObject({ kind: z.literal("rows"), file: longText.min(1) }),
  z.strictObject({ kind: z.literal("same"), of: longText, as }),
]);

const headers = z.record(longText, longText);

/** A body as text, or as base64 if it is not text. */
const body = z.union([bodyText, z.strictObject({ base64: z.base64().max(BOUNDS.body) })]);

/** One request template of a user; see `RequestTemplate` in suites/suite.ts. */
export type UserRequest = z.infer<typeof userRequestSchema>;
export const userRequestSchema = z.strictObject({
  weight: z.number().positive().optional(),
  method: longText,
  path: longText,
  headers: headers.optional(),
  body: body.optional(),
  first: body.optional(),
  /** Statuses it may be answered with: given by hand, else those recorded. */
  expect: statuses.optional(),
  /** Statuses of its replies in a browser's recording. */
  recorded: statuses.optional(),
  /** The form of those replies; absent if the recording does not hold it, or they have no form in common. */
  recorded_form: z.strictObject({
    /** Fewest and most bytes of a body, uncompressed. */
    bytes: z.tuple([z.int().positive(), z.int().positive()]),
    /** The media type that all had. */
    type: longText.optional(),
    /** Names of keys that all had, of JSON: `id`, `user.name` one level below, `*.id` of the items of a list. */
    keys: list(longText).optional(),
  }).optional(),
});

/** The form of recorded replies to one request. */
export type RecordedForm = NonNullable<UserRequest["recorded_form"]>;

/** A file something was started from, so that another one is noticed. */
const file = z.strictObject({ path: longText, sha256: longText });

/** SHA-256 over source: the files of a folder that are read as programs or settings, or one module alone. */
const source = {
  sha256: longText,
  source: z.strictObject({ of: z.enum(["home", "module"]), files: z.int().positive() }),
};

/** See {@link source}. */
export const sourceSchema = z.strictObject(source);

/** The revision of a server whose revisions are compared, and if its folder differed from that commit. */
const revision = z.strictObject({ ref: longText, commit: longText, changed: z.boolean() }).optional();

/** For a program that listens by itself: its arguments, and how its port is found. */
const listensSchema = z.strictObject({
  args: list(longText),
  ready: longText,
  /** The port it listens on whatever PORT says; null if it reads PORT. */
  port: z.int().min(1).max(65_535).nullable(),
  /** More ports it listens on, whatever PORT says. */
  others: list(z.int()).optional(),
});

/** The reason why a server cannot run while others do, found when it was first started; absent without one. */
const apart = longText.optional();

/** A module with a fetch handler, or a program that runtimes start as it is. */
const appSchema = z.strictObject({
  kind: z.literal("app"),
  name,
  /** From the folder the bench was started in, as are all paths here. */
  module: longText,
  /** The folder it lives in: its packages, its settings, its working folder. */
  home: longText,
  /** Over the source in its home. */
  ...source,
  /** The extra option that each runtime needs to run it, found by trying when it was first started. */
  needs: z.record(longText, z.enum(["tsx", "sloppy-imports", "detect-cjs"])),
  /** Absent for a module that we serve. */
  listens: listensSchema.optional(),
  apart,
  revision,
});

/** A program that listens. */
const commandSchema = z.strictObject({
  kind: z.literal("command"),
  name,
  command: list(longText).min(1),
  /** The port it always listens on; null if it takes one from `{port}` or PORT. */
  port: z.int().min(1).max(65_535).nullable(),
  ready: longText,
  /** Programs that took its connections when it was first started; absent if the system does not report them. */
  served: list(servedSchema).optional(),
  files: list(file),
  /** The folder it runs in; absent if that is the one the bench was started in. */
  home: longText.optional(),
  apart,
  revision,
});

/** A server somebody else started. */
const targetSchema = z.strictObject({
  kind: z.literal("target"),
  name,
  url: longText.refine((url) => targetFault(url) === null, "is no address of a server on this machine"),
  pid: z.int().positive().nullable(),
});

/** A reply as it was recorded. */
export type RecordedReply = z.infer<typeof recordedReplySchema>;
const recordedReplySchema = z.strictObject({
  status,
  headers,
  /** Null if it is too long to keep: its hash replaces it. */
  body: bodyText.nullable(),
  characters: z.int().nonnegative(),
  sha256: longText,
  /** Bytes of its body as it was sent, compressed where `encoding` names how. */
  sent_bytes: z.int().nonnegative(),
  encoding: longText.optional(),
  /** The first bytes of one that is no text; its `characters` are bytes. */
  base64: longText.optional(),
  /** For JSON, the hash over its value, without order of keys and white space. */
  json_sha256: longText.optional(),
  /** Least and most length of a body that changes by itself. */
  lengths: z.tuple([z.int().nonnegative(), z.int().nonnegative()]).optional(),
});

/** Parts of the reply that change by themselves: `header:expires`, `json:items.*.time`, `word:12`, `body`. */
const leftOut = { left_out: list(longText).optional() };
const place = { app: longText, runtime: longText.nullable() };

/** One request that is sent to each server before and after it is measured, and the expected reply. */
export type ReplySample = z.infer<typeof sampleSchema>;
const sampleSchema = z.strictObject({
  /** Place of its kind of request in the list of kinds. */
  of: z.int().nonnegative(),
  method: longText,
  path: longText,
  headers,
  body: body.optional(),
  first: body.optional(),
  /** Null if only the status counts. */
  reply: recordedReplySchema.nullable(),
  ...leftOut,
  /** The reply of each server to a message over a WebSocket, where those of two may differ: each is held to its own. */
  replies: list(z.strictObject({ ...place, reply: recordedReplySchema, ...leftOut })).optional(),
});

/** A suite made from the command line, with everything to measure it again; of variables only names, never values. */
export type UserSpec = z.infer<typeof userSpecSchema>;
export const userSpecSchema = z.strictObject({
  schema: z.literal("levelfield.own/2"),
  servers: list(z.discriminatedUnion("kind", [appSchema, commandSchema, targetSchema])).min(1),
  /** Names of the variables that servers see in addition to those all servers see. */
  env: list(longText),
  requests: list(userRequestSchema).min(1),
  draws: z.record(longText, drawSchema),
  /** Parts of a reply that may differ: `header:date`, `cookie:sid`, `json:user.time`. */
  ignore: list(longText),
  samples: list(sampleSchema),
  /** The server whose replies were recorded as the expected ones. */
  asked_first: z.strictObject(place),
  /** Servers that did not start when they were tried, and why. */
  refused: list(z.strictObject({ ...place, reason: longText })),
  /** Milliseconds that each server took to become ready in a trial start. */
  starts: list(z.strictObject({ ...place, ms: z.number().nonnegative() })),
  /** The runtime under which servers are listed that run on none; null if there are no others. */
  listed_under: longText.nullable(),
  /** The protocol of the first requests, if it was not plain HTTP/1.1. */
  protocol: z.enum(["https", "h2", "h2c"]).optional(),
  /** Options about requests and replies with their values, as a command line gives them. */
  given: list(
    z.tuple([z.enum(["request", "requests", "header", "body", "first", "env", "expect", "ignore"]), bodyText]),
  ),
  /** Requests of recordings that were left out, a line each. */
  left_out: list(longText).optional(),
});

/** One server of a user. */
export type UserServer = UserSpec["servers"][number];

/** The user's input before anything was started: no samples yet, nothing recorded. */
export type UserDraft = Omit<UserSpec, "samples" | "asked_first" | "refused" | "starts" | "listed_under">;

/** A way around an obstacle to starting an app on a runtime. */
export type StartAid = Extract<UserServer, { kind: "app" }>["needs"][string];

/** Names and addresses of this machine alone. */
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost)$/;

/** Returns why an address is not that of a server on this machine, with a hint; null if it is. */
export function targetFault(text: string): { readonly what: string; readonly hint: string } | null {
  const whole = text.includes("://") ? text : `http://${text}`;
  const url = URL.canParse(whole) && /^https?:\/\/[\w[]/.test(whole) ? new URL(whole) : undefined;
  if (url === undefined || /^\d+$/.test(text)) {
    return { what: "is no address of a server", hint: "--target http://127.0.0.1:8080" };
  }
  const { protocol, hostname, port, pathname, search, hash, username, password } = url;
  const here = `http://${LOOPBACK.test(hostname) ? hostname : "127.0.0.1"}:${port || "PORT"}`;
  if (!LOOPBACK.test(hostname)) {
    return {
      what: "is not on this machine: only 127.0.0.1 and localhost are loaded",
      hint: `start it here: --target ${here}`,
    };
  }
  if (protocol === "https:") return { what: "speaks TLS, and only plain HTTP is measured", hint: `--target ${here}` };
  if (port === "") return { what: "names no port, or 80, which is not measured", hint: `--target ${here}` };
  if (pathname !== "/") return { what: "has a path", hint: `--target ${here} --request "GET ${pathname}${search}"` };
  return text.startsWith("http://") && search + hash + username + password === ""
    ? null
    : { what: "is no plain address of a server", hint: `--target ${here}` };
}
