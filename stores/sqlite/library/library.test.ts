import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folderTest, runtime } from "../../../tests/testing.ts";
import { StoreError, UnsupportedEngine } from "../../store.ts";
import { loadEngine, type SqliteConnection, type SqliteEngine } from "../engine.ts";
import { LIBRARY_VARIABLE } from "./find-library.ts";

let engine: SqliteEngine | undefined;
try {
  engine = await loadEngine({ engine: "library" });
} catch (error) {
  if (!(error instanceof UnsupportedEngine)) throw error;
  test.skip(`engine library: ${error.message}`, () => {});
}

/** A test over a database in memory. */
function withDatabase(name: string, work: (database: SqliteConnection) => void): void {
  if (engine === undefined) return test.skip(name, () => {}), undefined;
  const { open } = engine;
  test(name, () => {
    const database = open(":memory:");
    try {
      work(database);
    } finally {
      database.close();
    }
  });
}

/** Runs something that must fail, and gives what it said. */
function messageOf(work: () => unknown): string {
  let message = "nothing failed";
  assert.throws(work, (error) => error instanceof StoreError && (message = error.message) !== "");
  return message;
}

withDatabase("text of any length and kind comes back as it went in", (database) => {
  database.exec("CREATE TABLE texts (n INTEGER PRIMARY KEY, text TEXT) STRICT");
  const insert = database.prepare("INSERT INTO texts (text) VALUES (?) RETURNING text");
  const texts = [
    "",
    "a",
    "smørrebrød",
    "雪 👩‍🚀",
    "\ufeffmark",
    "a\0b",
    "\0",
    "ø\0ø",
    "x".repeat(100_000),
    "雪".repeat(70_001),
  ];
  for (let length = 40; length < 60; length++) texts.push("y".repeat(length - 1) + "ø", "z".repeat(length));
  for (const text of texts) assert.deepEqual(insert.get(text), { text });
  assert.deepEqual(database.prepare("SELECT text FROM texts ORDER BY n").all(), texts.map((text) => ({ text })));
  const bytes = database.prepare("SELECT length(CAST(text AS BLOB)) AS bytes FROM texts ORDER BY n").all();
  assert.deepEqual(bytes, texts.map((text) => ({ bytes: Buffer.byteLength(text) })));
});

withDatabase("half a surrogate pair becomes U+FFFD, as with the other engines", (database) => {
  assert.deepEqual(database.prepare("SELECT ? AS text").get("a\ud800b"), { text: "a\ufffdb" });
});

withDatabase("numbers keep their value and their kind", (database) => {
  const echo = database.prepare("SELECT ? AS value, typeof(?) AS kind");
  for (const value of [0, 1, -1, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 40 + 1, Number.MAX_SAFE_INTEGER]) {
    assert.deepEqual(echo.get(value, value), { value, kind: "integer" });
  }
  for (const value of [0.5, -1e300, 2 ** 60]) assert.deepEqual(echo.get(value, value), { value, kind: "real" });
  assert.deepEqual(echo.get(null, null), { value: null, kind: "null" });
});

withDatabase("what cannot be read exactly is refused, not rounded", (database) => {
  assert.match(messageOf(() => database.prepare("SELECT 9007199254740993 AS n").get()), /column "n".* beyond 2\^53/);
  assert.match(messageOf(() => database.prepare("SELECT x'00' AS bytes").get()), /column "bytes" holds a blob/);
});

withDatabase("an error is SQLite's message in one line", (database) => {
  assert.equal(messageOf(() => database.exec("selec")), 'SQLite: near "selec": syntax error');
  assert.equal(messageOf(() => database.prepare("SELECT *\n\nFROM\nnobody")), "SQLite: no such table: nobody");
  database.exec("CREATE TABLE ages (age INTEGER NOT NULL UNIQUE) STRICT");
  const insert = database.prepare("INSERT INTO ages VALUES (?)");
  insert.run(1);
  assert.equal(messageOf(() => insert.run(1)), "SQLite: UNIQUE constraint failed: ages.age");
  assert.match(messageOf(() => insert.run("old")), /cannot store TEXT value in INTEGER column ages\.age/);
  assert.match(messageOf(() => insert.run()), /a statement with parameters: 1, values: 0/);
  // A statement that failed is good for another try.
  insert.run(2);
  assert.deepEqual(database.prepare("SELECT count(*) AS n FROM ages").get(), { n: 2 });
});

withDatabase("a statement may be asked again, and gives nothing where there is no row", (database) => {
  database.exec(
    "CREATE TABLE pairs (a INTEGER, b TEXT) STRICT; INSERT INTO pairs VALUES (1, 'one'), (2, 'two'), (2, 'zwei')",
  );
  const find = database.prepare("SELECT b FROM pairs WHERE a = ? ORDER BY b");
  assert.deepEqual(find.all(2), [{ b: "two" }, { b: "zwei" }]);
  assert.deepEqual(find.get(2), { b: "two" });
  assert.deepEqual([find.get(3), find.all(3)], [undefined, []]);
});

withDatabase("a statement that was finalized, and a connection that was closed, refuse further work", (database) => {
  const one = database.prepare("SELECT 1 AS n");
  const two = database.prepare("SELECT 2 AS n");
  database.finalize(one);
  assert.match(messageOf(() => one.get()), /misuse/);
  assert.deepEqual(two.get(), { n: 2 });
  database.close();
  database.close();
  assert.match(messageOf(() => two.get()), /misuse/);
  assert.match(messageOf(() => database.exec("SELECT 1")), /misuse/);
  assert.match(messageOf(() => database.prepare("SELECT 1")), /misuse/);
});

if (engine !== undefined) {
  const { open, libraryFile, name } = engine;

  folderTest("closing lets go of statements nobody finalized, and so of all files but the database", (folder) => {
    const database = open(join(folder, "some ø.db"));
    database.exec("PRAGMA journal_mode = WAL; CREATE TABLE numbers (n INTEGER) STRICT");
    for (let n = 0; n < 50; n++) database.prepare("INSERT INTO numbers VALUES (?)").run(n);
    database.prepare("SELECT n FROM numbers").get();
    assert.ok(readdirSync(folder).includes("some ø.db-wal"));
    database.close();
    assert.deepEqual(readdirSync(folder), ["some ø.db"]);
  });

  folderTest("a file that cannot be opened is refused in one line", (folder) => {
    assert.equal(messageOf(() => open(join(folder, "no", "such.db"))), "SQLite: unable to open database file");
  });

  test("the engine says which interface and which library file it is", () => {
    const expected = { node: "node:ffi", deno: "Deno.dlopen", bun: "bun:ffi" }[runtime.name];
    assert.equal(name, `library (${expected})`);
    assert.match(libraryFile!, /sqlite/);
  });

  test("a library that is not there, or is none of SQLite's, is unsupported with a reason", async () => {
    const before = process.env[LIBRARY_VARIABLE];
    try {
      for (
        const [file, reason] of [["/no/such.so", /no such file/], [
          process.execPath,
          /cannot open .* as SQLite/,
        ]] as const
      ) {
        process.env[LIBRARY_VARIABLE] = file;
        await assert.rejects(
          loadEngine({ engine: "library" }),
          (error: Error) => error.name === "Unsupported" && reason.test(error.message) && !error.message.includes("\n"),
        );
      }
    } finally {
      if (before === undefined) delete process.env[LIBRARY_VARIABLE];
      else process.env[LIBRARY_VARIABLE] = before;
    }
  });
}
