// Rows of a file of SQLite by better-sqlite3 and by node:sqlite. After WiseLibs/better-sqlite3 at dbc2ea1, benchmark/.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import Better from "better-sqlite3";

const ROWS = 10_000, COLUMNS = "nul, integer, real, text";
const PRAGMAS = ["cache_size = -16000", "journal_mode = WAL", "synchronous = NORMAL"];

/** Calls on a connection: one row by its key, a hundred into an array, a hundred one by one. Keys go round. */
function readersOf(db, driver) {
  for (const pragma of PRAGMAS) db.exec(`PRAGMA ${pragma}`);
  const one = db.prepare(`SELECT ${COLUMNS} FROM small WHERE rowid = ?`);
  const many = db.prepare(`SELECT ${COLUMNS} FROM small WHERE rowid >= ? LIMIT 100`);
  let key = -1, begin = -100;
  return {
    [`one-${driver}`]: () => one.get(++key % ROWS + 1),
    [`all-${driver}`]: () => many.all((begin += 100) % ROWS + 1),
    [`iterate-${driver}`]: () => {
      let count = 0;
      for (const _row of many.iterate((begin += 100) % ROWS + 1)) count++;
      return count;
    },
  };
}

export default function open() {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-audit-")), file = join(folder, "rows.db");
  const filled = new DatabaseSync(file);
  filled.exec("CREATE TABLE small (nul, integer INTEGER, real REAL, text TEXT, blob BLOB); BEGIN");
  const insert = filled.prepare("INSERT INTO small VALUES (?, ?, ?, ?, ?)");
  for (let n = 0; n < ROWS; n++) insert.run(null, 0x7fffffff, 1 / 3, "this is the text", new Uint8Array(16));
  filled.exec("COMMIT");
  filled.close();
  const better = new Better(file), builtIn = new DatabaseSync(file);
  return {
    calls: { ...readersOf(better, "better"), ...readersOf(builtIn, "node") },
    // One row, a hundred and their number are three results.
    same: false,
    close() {
      better.close();
      builtIn.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
