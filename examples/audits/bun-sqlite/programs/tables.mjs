// Three tables with the rows and columns of Northwind's "Order", "Product" and "OrderDetail", filled by a formula, and
// the calls that read each whole by a prepared statement. After oven-sh/bun, bench/sqlite.

/** By name: rows, and the columns besides the key: texts, reals, integers. */
const TABLES = {
  orders: { rows: 830, text: 9, real: 1, integer: 3 },
  products: { rows: 77, text: 2, real: 1, integer: 6 },
  details: { rows: 2_155, text: 1, real: 2, integer: 1 },
};

/** Names of a table's columns by type, without the key. */
const columnsOf = ({ text, real, integer }) =>
  Object.entries({ text, real, integer }).flatMap(([type, many]) =>
    Array.from({ length: many }, (_, n) => ({ name: `${type}_${n}`, type }))
  );

const valueOf = (type, row, column) =>
  type === "text" ? `text ${row * 31 + column}` : type === "real" ? row / 4 + column : row * 7 + column;

/** @param db a database in memory with `exec` and `prepare`, whose statements have `run` and `all` */
export function readersOf(db) {
  const readers = Object.entries(TABLES).map(([table, shape]) => {
    const columns = columnsOf(shape);
    db.exec(
      `CREATE TABLE ${table} (id INTEGER PRIMARY KEY, ${
        columns.map(({ name, type }) => `${name} ${type}`).join(", ")
      })`,
    );
    const insert = db.prepare(`INSERT INTO ${table} VALUES (${Array(columns.length + 1).fill("?").join(", ")})`);
    for (let id = 1; id <= shape.rows; id++) insert.run(id, ...columns.map(({ type }, n) => valueOf(type, id, n)));
    const all = db.prepare(`SELECT * FROM ${table}`);
    return [table, () => all.all()];
  });
  // Each reads another table.
  return { calls: Object.fromEntries(readers), same: false };
}
