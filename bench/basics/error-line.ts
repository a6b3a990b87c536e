/** Lines around an error that are not the error: code excerpts, footers of runtimes, lines of script runners. */
const AROUND = [
  /^\W*$/,
  /^\s+at /,
  /^\s*\d* \|/,
  /^(Node\.js|Bun|Deno) v?\d/,
  /^\(Use `|^\(node:\d+\)|^Stack backtrace:|^\s+\d+: <unknown>|^Emitted '\w+' event/,
  /^(file:|node:|\/|[A-Za-z]:\\)\S*:\d+$/,
  /^[$>] |^exit status \d+$|^make: \*\*\*|^error: (script )?".*" exited with|^error Command failed|^info Visit /,
  /ELIFECYCLE|^\[nodemon\]|^Waiting for the debugger/,
  /^Traceback \(most|^\s+File "|^During handling of|^The above exception was|^Stack trace:|^#\d+ |^note: run with/,
  /^goroutine \d+|^[\w./*()]+\(.*\)$|^\t/,
  /^[A-Z]\w*Warning:|^Warning: /,
];

/** Lines an error begins with, in the words of runtimes, languages and loggers. */
const BEGINS =
  /^(?:(?:[\w$]+\.)*[A-Z][\w$]*(?:Error|Exception|Rejection)(?: \[[\w.]+\])?(?::|$)|Error(?: \[[\w.]+\])?(?::|$)|(?:error|fatal error|fatal|panic|uncaught|unhandled)(?:$|[:!] |\s*\(|\s\w+ (?:error|exception))|Uncaught |Unhandled |Exception in thread |thread '.*' .*panicked at|PHP Fatal error|\[?(?:ERROR|FATAL)\]?\b)/i;

/** Prefixes of an error line in front of the error itself. */
const LEAD = /^(?:error: )?(?:Uncaught )?(?:\(in promise\) )?(?:error: )?/i;

const FRAME = /^\s+at /;
const CARET = /^\s*[\^~]+\s*$/;
const CAUSE = /^\s*(?:\[cause\]: |Caused by: )(.+?)(?: \{)?$/;
const NPM = /^npm (?:ERR!|error|WARN|warn|notice)\s?/;
/** Lines of npm about itself, around the error. */
const OF_NPM =
  /^(code|errno|syscall|path|command|workspace|location|signal|shasum|cwd|Lifecycle script|Exit status)\b|complete log|To see a list|^ |^$/;

/** Escape sequences that set colours on a terminal. */
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;?]*[A-Za-z]`, "g");

/** Node's words for a rejection with a value that is no error. */
const REJECTED = /^UnhandledPromiseRejection: .* with the reason "(.*)"\.$/;

/** Errors of the runtimes, and of the library that serves on Node, if `fetch` returns no Response. */
const NO_RESPONSE: readonly RegExp[] = [
  /Cannot use 'in' operator to search for 'Symbol\(cache\)' in (.*)(?=\n)/g,
  /Cannot read properties of (undefined|null) \(reading 'then'\)(?=\n\s+at .*@hono\/node-server)/g,
  /Expected a Response object, but received '([^']*)'/g,
  /Invalid status code: undefined(?=\n.*\n\s+at .*@hono\/node-server)/g,
  /Return value from serve handler must be a response or a promise resolving to a response/g,
];

/** Replaces these errors by words that are the same on all runtimes. */
const inOneWay = (output: string) =>
  NO_RESPONSE.reduce((text, pattern) =>
    text.replaceAll(pattern, (_, given: unknown) => {
      const value = typeof given === "string" ? given.replaceAll(/\s+/g, " ") : "something";
      return `fetch gave ${value}, not a Response`;
    }), output);

/** Returns true if a runtime wrote that a `fetch` handler gave it no Response. */
export const gaveNoResponse = (output: string): boolean => inOneWay(output) !== output;

/** Errors of the runtimes where the body of a Response is sent a second time. */
const USED_TWICE =
  /\b(body|Response)\b.*\b(already (been )?(used|read|consumed)|is unusable|disturbed or locked)|ReadableStream is locked/i;

/** Returns true if a runtime wrote that a Response was used twice: its body can be sent once. */
export const bodyUsedTwice = (output: string): boolean => USED_TWICE.test(output);

const MOST_CHARS = 300;
/** Lines between an error's first and its first place of code. */
const MOST_LINES = 30;

/**
 * The error itself in what a program wrote before it ended, as one line: no places of code, source lines or footers of
 * a runtime. An error of several lines is joined. Null if nothing is said.
 */
export function errorLine(output: string): string | null {
  const lines = inOneWay(output.replaceAll(COLOUR, "")).split(/\r?\n/).map(ofLogger);
  const ofProgram = lines.filter((line) => !NPM.test(line));
  const ofNpm = lines.filter((line) => /^npm (ERR!|error)/.test(line)).map((line) => line.replace(NPM, ""));
  const found = errorIn(ofProgram) ?? errorIn(ofNpm.filter((line) => !OF_NPM.test(line)), "first");
  return found === null || found.length <= MOST_CHARS ? found : `${found.slice(0, MOST_CHARS - 1)}…`;
}

/** A line of a logger that writes JSON, as its words. */
function ofLogger(line: string): string {
  if (!/^\s*\{.*"(?:msg|message|err|error)"/.test(line)) return line;
  try {
    const { level, msg, message, err, error } = JSON.parse(line);
    const thrown = err ?? error;
    const words = thrown?.message ?? (typeof thrown === "string" ? thrown : undefined) ?? msg ?? message;
    if (typeof words !== "string") return line;
    const bad = thrown !== undefined || Number(level) >= 50 || /^(error|fatal|critical)$/i.test(String(level));
    return bad ? `${/Error$/.test(thrown?.type ?? "") ? thrown.type : "Error"}: ${words}` : words;
  } catch {
    return line;
  }
}

const isAround = (line: string) => AROUND.some((one) => one.test(line));

function errorIn(lines: readonly string[], otherwise: "first" | "last" = "last"): string | null {
  const heads = lines.flatMap((_, n) => isHead(lines, n) ? [n] : []);
  const head = heads.at(-1);
  if (head === undefined) {
    const candidates = lines.filter((line) => !isAround(line) && !/^\s/.test(line));
    return (otherwise === "first" ? candidates[0] : candidates.at(-1))?.trim() ?? null;
  }
  const before = heads.at(-2);
  // Bun writes the cause of an error below it as another one.
  const frames = before === undefined ? -1 : lines.findIndex((line, n) => n > before && FRAME.test(line));
  const joined = frames > 0 && /^\d+ \|/.test(lines[head - 2] ?? "") && lines.slice(frames, head).every(isAround);
  const all = joined ? [messageAt(lines, before!), messageAt(lines, head)] : [withCause(lines, head)];
  return [...new Set(all)].join("; ");
}

/** True if an error begins at a line: the line says so, or stack frames follow at once. */
function isHead(lines: readonly string[], n: number): boolean {
  const line = lines[n]!;
  if (isAround(line) || /^\s/.test(line) || CAUSE.test(line)) return false;
  return BEGINS.test(line) || FRAME.test(lines[n + 1] ?? "");
}

/** The message that begins at a line, in one. */
function messageAt(lines: readonly string[], head: number): string {
  const first = lines[head]!.replace(LEAD, "").replace(/ \{$/, "");
  const after = lines.slice(head + 1, head + 1 + MOST_LINES);
  const frame = after.findIndex((line) => FRAME.test(line));
  const blank = after.findIndex((line) => line.trim() === "");
  const traced = lines.slice(0, head).some((line) => /^Traceback|^\s+File "/.test(line));
  const goesOn = traced || /:$|^error$/i.test(first.trim()) || /^\s+\S/.test(after[0] ?? "");
  const end = frame >= 0 ? frame : !goesOn ? 0 : blank >= 0 ? blank : after.length;
  const body = after.slice(0, end).filter((line, n, all) => !isAround(line) && !CARET.test(all[n + 1] ?? ""));
  const words = [first, ...body].map((line) => line.trim()).filter((line) => line !== "" && line !== "error");
  return [...new Set(words)].join(" ").replace(REJECTED, "$1");
}

/** A message with its cause, if a line below names one. */
function withCause(lines: readonly string[], head: number): string {
  const message = messageAt(lines, head);
  const below = lines.slice(head + 1);
  const cause = below.map((line) => CAUSE.exec(line)?.[1]).findLast((found) => found !== undefined) ??
    (/^AggregateError( \[\w+\])?:?$/.test(message)
      ? below.find((line) => /^\s+\w*Error(?: \[\w+\])?: /.test(line))?.trim()
      : undefined);
  return cause === undefined || message.includes(cause) ? message : `${message}; caused by ${cause}`;
}
