import type { Draw } from "../../suites/suite.ts";
import { jsonOf } from "../basics/bounded-json.ts";
import { foreignLine } from "./foreign-line.ts";
import { isWithin } from "../record/ranges.ts";
import { isObject, listOfType, listWords, text, textOfForm, type Type, type, wholeNumber } from "./types.ts";

/** A user's server, with its name if it was given one. */
export interface NamedServer {
  readonly name?: string | undefined;
  readonly what: string;
}

function namedIn(word: string): NamedServer {
  const [, name, what] = /^([A-Za-z0-9][\w.-]*)=(.+)$/s.exec(word) ?? [];
  return name === undefined ? { what: word } : { name, what: what! };
}

/** One server, or several by name; on the command line `a=…`. */
const named = (
  shown: string,
  what: string,
  split = (word: string): readonly string[] => [word],
): Type<NamedServer[], string | Readonly<Record<string, string>>> =>
  type(
    shown,
    `is neither ${what} nor several by name`,
    'such as "./app.ts", or { a: "./a.ts", b: "./b.ts" }',
    (value) => {
      if (Array.isArray(value)) return value as NamedServer[];
      const entries = typeof value === "string" ? [[undefined, value] as const] : Object.entries(value ?? {});
      const holds = entries.length > 0 && entries.every(([, one]) => typeof one === "string" && one !== "");
      return holds ? entries.map(([name, one]): NamedServer => ({ name, what: one })) : undefined;
    },
    (word) => split(word).map(namedIn),
  );

/** One kind of request of a config; `{name}` in path, headers and body is replaced by a value of that draw. */
export interface ConfigRequest {
  /** `GET` by default. */
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  /** Of the method `WEBSOCKET`: a message that each connection sends once, before the first body; sent as that is. */
  readonly first?: unknown;
  /** Share among the requests; only the ratio counts. */
  readonly weight?: number;
  /** Statuses of right replies; by default those of the first reply. */
  readonly expect?: readonly number[];
  readonly draws?: Readonly<Record<string, Draw>>;
}

/** A request as a line, or as an object that is looked at when it is read. */
const request = type<string | object, string | ConfigRequest>(
  "'GET /'",
  "is no request",
  (value) =>
    (typeof value === "string" ? foreignLine(value)?.hint : undefined) ??
      'requests are written "GET /", or {"method":"GET","path":"/items/{id}","weight":3,…}',
  (value) =>
    isObject(value) || (typeof value === "string" && /^\s*([A-Za-z]+\s+)?\/.*$/s.test(value)) ? value : undefined,
);

const jsonOr = (word: string): unknown => word.trimStart().startsWith("{") ? jsonOf(word) ?? word : word;

const STATUSES = [100, 599] as const;

/** Types of the options about the user's servers. */
export const USER_TYPES = {
  app: named("[a=]FILE", "a module", (word) => word.split(",").map((each) => each.trim())),
  program: named("[a=]FILE", "a program's file with its arguments"),
  command: named("[a=]WORDS", "the words of a program"),
  target: named("[a=]URL", "an address"),
  pid: wholeNumber([1, 2 ** 22]),
  port: wholeNumber([1, 65_535]),
  ready: textOfForm("/PATH", /^\//, "is no path", "such as /health"),
  // Comes before requests: a config's header belongs to all of them.
  header: type<(readonly [name: string, value: string])[], Readonly<Record<string, string>>>(
    "'a: b'",
    "is no header",
    'headers are written "name: value"',
    (value) =>
      isObject(value) && Object.values(value).every((one) => typeof one === "string")
        ? Object.entries(value as Record<string, string>).map(([name, one]) => [name.toLowerCase(), one] as const)
        : undefined,
    (word) => {
      const [, name, value] = /^([^:\s]+)\s*:\s*(.*)$/s.exec(word.trim()) ?? [];
      return name === undefined ? word : { [name]: value!.trim() };
    },
  ),
  request: listOfType(request, jsonOr),
  requests: { ...listOfType(text("FILE")), hint: "FILE.jsonl or FILE.har" },
  body: { ...text("@FILE"), hint: "--body @FILE, or the body itself" },
  // Other words for a request, and for its body.
  websocket: textOfForm("/PATH", /^\//, "is no path", "such as /chat"),
  message: { ...text("TEXT"), hint: "--message @FILE, or the message itself" },
  first: { ...text("TEXT"), hint: "--first @FILE, or the message itself" },
  env: {
    ...listOfType(textOfForm("NAME", /^[A-Za-z_]\w*$/, "is no name of a variable", (value) => {
      const name = /^([A-Za-z_]\w*)=/.exec(String(value))?.[1];
      return name === undefined
        ? "such as --env DATABASE_URL"
        : `set ${name} before you start bench, then --env ${name}`;
    })),
    secret: true,
  },
  expect: listOfType(
    type<number, number>(
      "200",
      "is no status",
      "such as 200 or 200,404",
      (value) => isWithin(value, STATUSES) ? value : undefined,
    ),
    (word) => word.split(",").map((each) => /^[1-5]\d\d$/.test(each.trim()) ? Number(each) : each),
  ),
  ignore: listOfType(
    textOfForm(
      "PART",
      /^(header|cookie|json):\S+$/,
      "names no part of a reply",
      "parts are written header:etag, cookie:sid or json:user.time",
    ),
    listWords,
  ),
} as const satisfies Readonly<Record<string, Type>>;

/** An option about the user's servers. */
export type UserOption = keyof typeof USER_TYPES;

/** All of these. */
export const USER_OPTIONS = Object.keys(USER_TYPES) as readonly UserOption[];

/** True of options that no config has: they belong to the request before them, or are another word for one. */
export const isByHandOnly = (option: UserOption): option is "body" | "websocket" | "message" | "first" =>
  ["body", "websocket", "message", "first"].includes(option);

/** True if an option is about the user's servers. */
export const isUserOption = (option: string): option is UserOption => Object.hasOwn(USER_TYPES, option);
