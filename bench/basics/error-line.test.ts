import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyUsedTwice, errorLine } from "./error-line.ts";

const NODE = `/srv/a.mjs:3
listen(settings.port);
                ^

TypeError: Cannot read properties of undefined (reading 'port')
    at file:///srv/a.mjs:3:40
    at async node:internal/modules/esm/loader:650:26

Node.js v20.20.2`;

/** What programs wrote before they ended, and the error in it. */
const CASES: readonly (readonly [what: string, output: string, error: string | null])[] = [
  ["Node", NODE, "TypeError: Cannot read properties of undefined (reading 'port')"],
  [
    "Node, of an event",
    "node:events:505\n    throw er; // Unhandled 'error' event\n    ^\n\nError: listen EADDRINUSE: in use :::80\n" +
    "    at Server.listen (node:net:2624:7)\nEmitted 'error' event on Server instance at:\n    at emitErrorNT (node:net:8) {\n" +
    "  code: 'EADDRINUSE',\n  port: 80\n}\n\nNode.js v26.10.0",
    "listen EADDRINUSE: in use :::80",
  ],
  [
    "Node, of several lines with a cause",
    "/srv/a.mjs:2\nthrow new EnvError();\n      ^\n\nEnvError: Invalid environment:\n  - PORT is missing\n\n  - DB is missing\n" +
    "    at file:///srv/a.mjs:2:7 {\n  [cause]: Error: inner\n      at file:///srv/a.mjs:2:95\n}\n\nNode.js v26.10.0",
    "EnvError: Invalid environment: - PORT is missing - DB is missing; caused by Error: inner",
  ],
  [
    "Node, of several errors in one",
    "AggregateError [ECONNREFUSED]: \n    at internalConnectMultiple (node:net:1139:18) {\n  code: 'ECONNREFUSED',\n" +
    "  [errors]: [\n    Error: connect ECONNREFUSED ::1:5432\n        at createConnectionError (node:net:1675:14) {\n    }\n  ]\n}",
    "AggregateError [ECONNREFUSED]:; caused by Error: connect ECONNREFUSED ::1:5432",
  ],
  [
    "Node, out of memory",
    "<--- JS stacktrace --->\n\nFATAL ERROR: Reached heap limit Allocation failed\n----- Native stack trace -----\n\n 1: 0xb7c 2",
    "FATAL ERROR: Reached heap limit Allocation failed",
  ],
  [
    "Deno, of several lines",
    "error: Uncaught (in promise) EnvError: first\nsecond\nthrow new EnvError('first\\nsecond');\n      ^\n    at file:///srv/a.mjs:2:7\n" +
    "Caused by: Error: inner\n    at file:///srv/a.mjs:2:95",
    "EnvError: first second; caused by Error: inner",
  ],
  [
    "Bun, with a cause",
    '1 | class EnvError {}\n2 | throw new EnvError("a");\n          ^\nEnvError: first\n  - second\n      at /srv/a.mjs:2:7\n\n' +
    "2 | throw new EnvError();\n            ^\nerror: inner\n      at /srv/a.mjs:2:99\n\nBun v1.4.5 (Linux x64)",
    "EnvError: first - second; inner",
  ],
  ["a script of Bun's", `$ node a.mjs\n${NODE}\nerror: script "start" exited with code 1`, "TypeError: Cannot read"],
  [
    "a script of npm's",
    `> a@1.0.0 start\n> node a.mjs\n\n${NODE}\nnpm ERR! code 1\nnpm ERR! path /srv`,
    "TypeError: Cannot",
  ],
  [
    "npm itself",
    'npm error Missing script: "nope"\nnpm error\nnpm error To see a list of scripts, run:\nnpm error   npm run\n' +
    "npm error A complete log of this run can be found in: /root/.npm/_logs/a.log",
    'Missing script: "nope"',
  ],
  [
    "Python",
    "Traceback (most recent call last):\n  File \"p.py\", line 4, in <module>\nKeyError: 'x'\n\nDuring handling of the above " +
    'exception, another exception occurred:\n\nTraceback (most recent call last):\n  File "p.py", line 2, in f\n' +
    '    raise ValueError("bad")\nValueError: bad\nsecond',
    "ValueError: bad second",
  ],
  [
    "Go",
    "panic: runtime error: index out of range [5]\n\ngoroutine 1 [running]:\nmain.main()\n\t/srv/m.go:3 +0x28\nexit status 2",
    "panic: runtime error: index out of range [5]",
  ],
  [
    "Go's log",
    "2026/11/26 08:15:32 listen tcp :80: permission denied\nexit status 1",
    "2026/11/26 08:15:32 listen tcp",
  ],
  [
    "Rust",
    "thread 'main' panicked at src/main.rs:4:5:\nno db\nnote: run with `RUST_BACKTRACE=1`",
    "thread 'main' panicked at src/main.rs:4:5: no db",
  ],
  [
    "Java",
    'Exception in thread "main" java.lang.RuntimeException: boom\n\tat A.main(A.java:3)\nCaused by: java.io.IOException: disk\n\t... 1 more',
    'Exception in thread "main" java.lang.RuntimeException: boom; caused by java.io.IOException: disk',
  ],
  ["colours", "\u001b[31merror\u001b[0m: no port", "no port"],
  [
    "a logger",
    '{"level":30,"msg":"on"}\n{"level":60,"err":{"type":"TypeError","message":"no"},"msg":"off"}',
    "TypeError: no",
  ],
  ["words alone", "starting\nDATABASE_URL is missing\n", "DATABASE_URL is missing"],
  ["a warning after the words", "no licence\n(node:12) Warning: old\n(Use `node --trace-warnings ...`)", "no licence"],
  ["nothing", "\n  \n", null],
];

test("the error in what a program wrote is its own line, in one, whichever language and runner it has", () => {
  for (const [what, output, error] of CASES) {
    const found = errorLine(output);
    // Some are given as their first words.
    assert.equal(error === null ? found : found?.slice(0, error.length), error, what);
    assert.doesNotMatch(found ?? "", /\n|^\s*at |\d+\.\d+\.\d+$| at (file|node|\/)/, what);
  }
  assert.equal(errorLine(`Error: ${"a".repeat(1_000)}`)!.length, 300);
});

test("a Response whose body is sent a second time is known by the words of each runtime, and other errors are not", () => {
  for (
    const said of [
      "TypeError [ERR_INVALID_STATE]: Invalid state: ReadableStream is locked",
      "TypeError: Response body object should not be disturbed or locked",
      "TypeError: Body is unusable: Body has already been read",
      "TypeError: The body of the Response returned from the serve handler has already been consumed",
      "TypeError: Response body already used. A Response body can only be sent once",
    ]
  ) assert.equal(bodyUsedTwice(said), true, said);
  for (const said of ["Error: the database is locked", "Error: port already used", "TypeError: body is undefined"]) {
    assert.equal(bodyUsedTwice(said), false, said);
  }
});
