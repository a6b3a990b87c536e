/** One record of the data set: what a store keeps and the app serves. Field order is the byte order of every reply. */
export interface User {
  /** Sixteen lower-case hexadecimal digits. */
  readonly id: string;
  /** Free text, as {@link isUserText} allows. */
  readonly name: string;
  readonly email: string;
  /** Whole years. */
  readonly age: number;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string;
  /** ISO 8601 in UTC with milliseconds, as `Date.prototype.toISOString` writes it. */
  readonly createdAt: string;
}

/** The columns of a user, in the order replies and tables carry them. */
export const USER_FIELDS = ["id", "name", "email", "age", "country", "createdAt"] as const satisfies readonly (
  keyof User
)[];

const USER_ID = /^[0-9a-f]{16}$/;

/** Says whether a text can be a user's id at all; a text that cannot is a client's error (400), not a miss (404). */
export function isUserId(text: string): boolean {
  return USER_ID.test(text);
}

/**
 * Says whether every store keeps a text as it is. SQLite stores UTF-8, so half a surrogate pair comes back as U+FFFD,
 * and Deno's node:sqlite ends a text at U+0000 (2.9.5).
 */
export function isUserText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** Copies a user: its fields only, in the one order. */
export function copyUser(user: User): User {
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    age: user.age,
    country: user.country,
    createdAt: user.createdAt,
  };
}

/** The one text form of a user: files, replies and the oracle agree byte for byte because all of them use it. */
export function encodeUser(user: User): string {
  return JSON.stringify(copyUser(user));
}
