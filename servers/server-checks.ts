import { encodeUser, type User } from "../stores/user.ts";
import { HEALTH_BODY } from "./adapter.ts";
import { BODY_LIMIT_BYTES } from "./limits.ts";

/** A running server to check, and the data set it should serve. */
export interface CheckTarget {
  send(method: "GET" | "POST", path: string, body?: string): Promise<{ status: number; body: string }>;
  /** The user of an index, in the data set below `size` and certainly absent from it above. */
  userAt(index: number): User;
  readonly size: number;
  /** Indexes below `size` to ask for. */
  readonly hits: readonly number[];
  /** Indexes from `size` upwards to ask for. */
  readonly misses: readonly number[];
}

/** One thing a server must do. */
export interface ServerCheck {
  readonly name: string;
  /** Whether it leaves something behind in the store. */
  readonly writes: boolean;
  /** Resolves with the number of replies compared; throws a {@link WrongAnswer}. */
  run(target: CheckTarget): Promise<number>;
}

/** A reply that differs from the expected one. */
export class WrongAnswer extends Error {
  override readonly name = "WrongAnswer";
}

/** Ids that cannot be any user's. */
const MALFORMED = ["0", "0123456789abcde", "0123456789abcdef0", "0123456789ABCDEF", "0123456789abcdeg", "%00", "a%2Fb"];

const quote = (text: string) => JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text);

async function expect(
  target: CheckTarget,
  method: "GET" | "POST",
  path: string,
  status: number,
  body: string | ((body: string) => boolean),
  sent?: string,
): Promise<void> {
  const reply = await target.send(method, path, sent);
  const asked = `${method} ${path.slice(0, 80)}`;
  if (reply.status !== status) throw new WrongAnswer(`${asked}: status ${reply.status}, expected ${status}`);
  if (typeof body === "string" ? reply.body !== body : !body(reply.body)) {
    const wanted = typeof body === "string" ? `, expected ${quote(body)}` : "";
    throw new WrongAnswer(`${asked}: body ${quote(reply.body)}${wanted}`);
  }
}

const NOT_FOUND = JSON.stringify({ error: "no user has this id" });
const BAD_ID = JSON.stringify({ error: "an id is 16 lower-case hexadecimal digits" });

const isErrorOf = (path: string) => (body: string) => {
  const reply: { error: string; issues: { path: string }[] } = JSON.parse(body);
  return typeof reply.error === "string" && reply.issues.some((issue) => issue.path === path);
};

/** An index far above every data set and every miss of the load: users the checks create. */
const CREATED_INDEX = 2 ** 32 - 1000;

/** One request: the server answers at all. */
export const serverIsUp: ServerCheck = {
  name: "health is answered",
  writes: false,
  async run(target) {
    await expect(target, "GET", "/health", 200, HEALTH_BODY);
    return 1;
  },
};

/** Asks for each of `hits`; also run on its own with further samples. */
export const usersAreFound: ServerCheck = {
  name: "users of the data set are found, byte for byte",
  writes: false,
  async run(target) {
    for (const index of target.hits) {
      const user = target.userAt(index);
      await expect(target, "GET", `/users/${user.id}`, 200, encodeUser(user));
    }
    return target.hits.length;
  },
};

/** What every server must do, whatever its runtime and store. Bodies are compared byte by byte. */
export const serverChecks: readonly ServerCheck[] = [
  serverIsUp,
  usersAreFound,
  {
    name: "ids of nobody are answered with 404",
    writes: false,
    async run(target) {
      for (const index of target.misses) {
        await expect(target, "GET", `/users/${target.userAt(index).id}`, 404, NOT_FOUND);
      }
      return target.misses.length;
    },
  },
  {
    name: "texts that cannot be an id are answered with 400",
    writes: false,
    async run(target) {
      for (const id of MALFORMED) await expect(target, "GET", `/users/${id}`, 400, BAD_ID);
      return MALFORMED.length;
    },
  },
  {
    name: "unknown routes are answered with 404",
    writes: false,
    async run(target) {
      for (const path of ["/", "/users", "/users/", "/users/0123456789abcdef/more"]) {
        await expect(target, "GET", path, 404, JSON.stringify({ error: "no such route" }));
      }
      return 4;
    },
  },
  {
    name: "a user is created once, found, and refused a second time",
    writes: true,
    async run(target) {
      const user = target.userAt(CREATED_INDEX);
      const body = encodeUser(user);
      await expect(target, "POST", "/users", 201, body, body);
      await expect(target, "GET", `/users/${user.id}`, 200, body);
      const exists = JSON.stringify({ error: "a user with this id exists" });
      await expect(target, "POST", "/users", 409, exists, body);
      await expect(target, "POST", "/users", 409, exists, encodeUser(target.userAt(0)));
      return 4;
    },
  },
  {
    name: "fields in another order are answered in the one order",
    writes: true,
    async run(target) {
      const user = target.userAt(CREATED_INDEX + 1);
      const reversed = JSON.stringify(Object.fromEntries(Object.entries(user).reverse()));
      await expect(target, "POST", "/users", 201, encodeUser(user), reversed);
      await expect(target, "GET", `/users/${user.id}`, 200, encodeUser(user));
      return 2;
    },
  },
  {
    name: "what is wrong with a body is said with 400",
    writes: false,
    async run(target) {
      const user = target.userAt(CREATED_INDEX + 2);
      const wrong: [field: string, value: unknown][] = [
        ["id", "xyz"],
        ["name", ""],
        ["email", "nobody"],
        ["age", 3.5],
        ["age", "36"],
        ["country", "dk"],
        ["createdAt", "yesterday"],
      ];
      for (const [field, value] of wrong) {
        await expect(target, "POST", "/users", 400, isErrorOf(field), JSON.stringify({ ...user, [field]: value }));
      }
      await expect(target, "POST", "/users", 400, isErrorOf(""), JSON.stringify({ ...user, more: 1 }));
      await expect(target, "POST", "/users", 400, isErrorOf(""), "[]");
      const notJson = JSON.stringify({ error: "the body is not JSON", issues: [] });
      await expect(target, "POST", "/users", 400, notJson, "{");
      await expect(target, "GET", `/users/${user.id}`, 404, NOT_FOUND);
      return wrong.length + 4;
    },
  },
  {
    name: "a body above the limit is refused with 413",
    writes: false,
    async run(target) {
      const body = JSON.stringify({ name: "x".repeat(BODY_LIMIT_BYTES) });
      const tooLarge = JSON.stringify({ error: `a body has at most ${BODY_LIMIT_BYTES} bytes` });
      await expect(target, "POST", "/users", 413, tooLarge, body);
      return 1;
    },
  },
];
