import { HEALTH_BODY } from "../../servers/adapter.ts";
import { userMaker } from "../../stores/dataset/user-at.ts";
import { encodeUser, type User } from "../../stores/user.ts";
import { checkEach, checkOne } from "../check-each.ts";
import { seeded } from "../seeded.ts";
import { type Check, expectReply, type Target } from "../suite.ts";
import { BODY_LIMIT_BYTES } from "./limits.ts";
import { CREATED_FROM } from "./workloads.ts";

/** The data set a server should serve: all that its replies follow from. */
export interface Served {
  readonly size: number;
  readonly dataSeed: number;
}

/** Users of the data set requested besides its first and last. */
const DRAWN = 6;
/** Texts that cannot be any user's id. */
const MALFORMED = ["0", "0123456789abcde", "0123456789abcdef0", "0123456789ABCDEF", "0123456789abcdeg", "%00", "a%2Fb"];
/** An index above every data set and above every user a load creates: users the checks create. */
const CHECKED_FROM = 2 ** 32 - 1000;

const errorText = (error: string) => JSON.stringify({ error });
/** Reply if no user has the id. */
export const NOT_FOUND = errorText("no user has this id");
const BAD_ID = errorText("an id is 16 lower-case hexadecimal digits");
const NO_ROUTE = errorText("no such route");
const EXISTS = errorText("a user with this id exists");
const TOO_LARGE = errorText(`a body has at most ${BODY_LIMIT_BYTES} bytes`);
const NOT_JSON = JSON.stringify({ error: "the body is not JSON", issues: [] });

const isErrorOf = (path: string) => (body: string) => {
  const reply: { error: string; issues: { path: string }[] } = JSON.parse(body);
  return typeof reply.error === "string" && reply.issues.some((issue) => issue.path === path);
};

/** Sees that a server has a user, byte for byte. */
export async function expectUser(target: Target, user: User): Promise<void> {
  await expectReply(target, { path: `/users/${user.id}` }, { status: 200, body: encodeUser(user) });
}

/** Sees that a server has nobody with an id. */
export async function expectNobody(target: Target, id: string): Promise<void> {
  await expectReply(target, { path: `/users/${id}` }, { status: 404, body: NOT_FOUND });
}

const posted = (target: Target, sent: string, status: number, body: string | ((body: string) => boolean)) =>
  expectReply(target, { method: "POST", path: "/users", body: sent }, { status, body });

/** One request: the server answers at all. */
export const alive = checkOne(
  "health is answered",
  (target) => expectReply(target, { path: "/health" }, { status: 200, body: HEALTH_BODY }),
);

function usersAreFound({ dataSeed }: Served, indexes: readonly number[]): Check {
  const userAt = userMaker(dataSeed);
  return checkEach(
    "users of the data set are found, byte for byte",
    indexes,
    (target, index) => expectUser(target, userAt(index)),
  );
}

/** One more user of the data set. */
export function sample(served: Served, seed: number): Check {
  return usersAreFound(served, [Math.floor(seeded(seed)() * served.size)]);
}

/**
 * Returns the checks of every server, whatever its runtime and store. Bodies are compared byte by byte; nothing is left
 * behind.
 */
export function checks(served: Served, seed: number): readonly Check[] {
  const { size, dataSeed } = served;
  const random = seeded(seed);
  // Both ends of the data set are where off-by-one errors live.
  const hits = [0, size - 1, ...Array.from({ length: DRAWN }, () => Math.floor(random() * size))];
  const misses = [size, size + 1 + Math.floor(random() * 1e6), CREATED_FROM - 1];
  const userAt = userMaker(dataSeed);
  return [
    usersAreFound(served, hits),
    checkEach("ids of nobody are answered with 404", misses, (target, index) => expectNobody(target, userAt(index).id)),
    checkEach(
      "texts that cannot be an id are answered with 400",
      MALFORMED,
      (target, id) => expectReply(target, { path: `/users/${id}` }, { status: 400, body: BAD_ID }),
    ),
    checkEach(
      "unknown routes are answered with 404",
      ["/", "/users", "/users/", "/users/0123456789abcdef/more"],
      (target, path) => expectReply(target, { path }, { status: 404, body: NO_ROUTE }),
    ),
    {
      name: "what is wrong with a body is said with 400",
      async run(target) {
        const user = userAt(CHECKED_FROM + 2);
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
          await posted(target, JSON.stringify({ ...user, [field]: value }), 400, isErrorOf(field));
        }
        await posted(target, JSON.stringify({ ...user, more: 1 }), 400, isErrorOf(""));
        await posted(target, "[]", 400, isErrorOf(""));
        await posted(target, "{", 400, NOT_JSON);
        await expectNobody(target, user.id);
        return wrong.length + 4;
      },
    },
    checkOne(
      "a body above the limit is refused with 413",
      (target) => posted(target, JSON.stringify({ name: "x".repeat(BODY_LIMIT_BYTES) }), 413, TOO_LARGE),
    ),
  ];
}

/** Returns further checks, which leave users behind: for tests, on separate files. */
export function writingChecks({ dataSeed }: Served): readonly Check[] {
  const userAt = userMaker(dataSeed);
  return [
    {
      name: "a user is created once, found, and refused a second time",
      async run(target) {
        const user = userAt(CHECKED_FROM);
        const body = encodeUser(user);
        await posted(target, body, 201, body);
        await expectUser(target, user);
        await posted(target, body, 409, EXISTS);
        await posted(target, encodeUser(userAt(0)), 409, EXISTS);
        return 4;
      },
    },
    {
      name: "fields in another order are answered in the one order",
      async run(target) {
        const user = userAt(CHECKED_FROM + 1);
        const reversed = JSON.stringify(Object.fromEntries(Object.entries(user).reverse()));
        await posted(target, reversed, 201, encodeUser(user));
        await expectUser(target, user);
        return 2;
      },
    },
  ];
}
