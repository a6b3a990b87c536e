/** Returns a failed check in one line, and what to do about it. */
import { AssertionError } from "node:assert";
import { firstLine } from "./user-driver.ts";

/** Advice for a check that fails, by its name. */
export const ADVICE: Readonly<Record<string, string>> = {
  "first, middle, last and sampled users are found": "see that prepare() takes every line of source.usersFile",
  "users of the data set have their fields in the one order":
    "answer id, name, email, age, country, createdAt in this order, with age as a number",
  "created users have their fields in the one order, however they were given":
    "copy the six fields one by one in create(), as copyUser of stores/user.ts does",
  "ids of nobody find nobody": "answer undefined for an id nobody has, not null and no other user",
  "ids that differ in one digit find nobody": "compare the whole id",
  "data sets of 1, 256 and 257 users are found whole": "look at both ends of the data set and at undefined for nobody",
  "a created user is found, and nobody before": "answer undefined until create() has ended, the user from then on",
  "a created user is kept as it was given, whatever becomes of the object": "copy the six fields in create()",
  "the last user created with an id is the one found": "let create() replace a user with the same id",
  "a user of the data set can be replaced": "look among created users before the data set",
  "several hundred created users are all found": "see what create() does once a buffer or page is full",
  "texts are kept as they are": "store texts as UTF-8, whole, through parameters and never through pasted text",
  "text that looks like a record is not taken for one": "escape or measure what is stored; do not search raw bytes",
  "created users survive a close, unless the store says it keeps them in memory":
    "write in create() what open() reads again, or say the durability it really has",
  "the user created last is still the one found after two more sessions": "go on with the same files in open()",
  "a half-written last line of a log is cut off": "cut off in open() what follows the log's last newline",
  "closing again does nothing": "remember in close() that it was closed",
  "many finds at once each get their own user": "share no buffer or statement between finds that wait",
  "a found user stays as it was while others are found": "answer a new object, never one that is used again",
  "two may read at the same time, and one may close before the other": "keep what open() makes to that store alone",
  "opening, reading and closing changes no file":
    "write only in create(): servers share the files, and their hashes are recorded",
  "closing leaves no file of SQLite's behind but the database":
    "close every connection, the last one after a checkpoint",
  "it describes its engine, its bytes on disk and the pragmas in force":
    "answer engine, sqliteVersion, sqliteSourceId, pragmas and diskBytes in describe()",
  "opened and closed again and again, it leaves nothing open": "close files and connections in close()",
  "what it acknowledged is there after its process was killed":
    "hand the write to the system before create() ends, or say durability memory",
  "a process that has closed it ends by itself": "end timers, pools and workers in close()",
};

/** `"text"`, shortened; `undefined` and functions by name. */
function shown(value: unknown): string {
  const text = typeof value === "function" ? "a function" : JSON.stringify(value) ?? String(value);
  return text.length > 90 ? `${text.slice(0, 90)}…` : text;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** One line for what a check threw: what was expected and what came, for objects the first field that differs. */
export function failureInWords(error: unknown): string {
  if (!(error instanceof AssertionError) || !("actual" in error) || error.operator === "fail") return firstLine(error);
  const { actual, expected, generatedMessage } = error;
  if (!generatedMessage) return firstLine(error);
  if (isRecord(actual) && isRecord(expected)) {
    const fields = [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
    const field = fields.find((name) =>
      shown(actual[name]) !== shown(expected[name]) || actual[name] !== expected[name]
    );
    if (Object.keys(actual).length === 0 && fields.length > 0) return "it found nobody, expected a user";
    if (field !== undefined) return `${field} is ${shown(actual[field])}, expected ${shown(expected[field])}`;
  }
  if (expected === undefined) return `it found ${shown(actual)}, expected undefined`;
  return `it answered ${shown(actual)}, expected ${shown(expected)}`;
}
