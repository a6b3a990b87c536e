/** The table's columns and rows. */
export const COLUMNS = { id: "int4", first_name: "text", last_name: "text", email: "text", dob: "text" } as const;

/** A hundred users, in the order of their ids. */
export const USERS = Array.from({ length: 100 }, (_, n) => ({
  id: n + 1,
  first_name: `FirstName${n}`,
  last_name: `LastName${n}`,
  email: `user${n}@example.com`,
  dob: `${1970 + n % 30}-${String(n % 12 + 1).padStart(2, "0")}-${String(n % 28 + 1).padStart(2, "0")}`,
}));
