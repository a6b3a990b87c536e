import { checkEach, checkOne } from "../check-each.ts";
import { seeded } from "../seeded.ts";
import { type Check, expectReply, type Target, WrongAnswer } from "../suite.ts";

/** How a text is sent: by the framework's own way, or as the seed did, by Node's `response.end` without content type and etag. */
export type ReplyWay = "own" | "end";

/** Ids of requests lie below this. */
export const IDS = 1_000_000;
/** Ids requested besides the first and the last. */
const DRAWN = 6;
/**
 * Texts that are ids, too, in a path: signs that need no escape, and a long one. Escaped ones are not requested: some
 * frameworks hand them on as they came, others decoded.
 */
const TEXTS = ["a.b-c_d~e", "0", "007", "x".repeat(90), "users", "favicon.ico"];
/** Paths nobody has a route for, with or without a slash at their end. */
const NOWHERE = ["/", "/users", "/users/1/2", "/favicon.ico/x", "/seen/1", "/user/1"];

/** Asks for a text and sees that it is sent as one, where it is sent as anything. */
async function expectText(target: Target, reply: ReplyWay, path: string, body: string): Promise<void> {
  const { headers } = await expectReply(target, { path }, { status: 200, body });
  if (reply === "end") return;
  const type = headers["content-type"] ?? "nothing";
  if (!/^text\/(plain|html)\b/.test(type)) {
    throw new WrongAnswer(`GET ${path.slice(0, 80)}: sent as "${type}", no text`);
  }
}

/** One request: the server answers at all. */
export const alive = checkOne(
  "the icon is answered with nothing",
  (target) => expectReply(target, { path: "/favicon.ico" }, { status: 204, body: "" }),
);

const usersAreNamed = (reply: ReplyWay, ids: readonly (string | number)[]) =>
  checkEach(
    "a user is answered with the id in the path",
    ids,
    (target, id) => expectText(target, reply, `/users/${id}`, `User: ${id}`),
  );

const idOf = (random: () => number) => Math.floor(random() * IDS);

/** One more id. */
export function sample(reply: ReplyWay, seed: number): Check {
  return usersAreNamed(reply, [idOf(seeded(seed))]);
}

/** Returns the checks of every sample app. */
export function checks(reply: ReplyWay, seed: number): readonly Check[] {
  const random = seeded(seed);
  const ids = Array.from({ length: DRAWN }, () => idOf(random));
  return [
    alive,
    usersAreNamed(reply, [0, IDS - 1, ...ids, ...TEXTS]),
    checkEach(
      "a query is no part of the id",
      ids,
      (target, id) => expectText(target, reply, `/users/${id}?id=${id + 1}&more`, `User: ${id}`),
    ),
    checkOne("what both middlewares set is seen", (target) => expectText(target, reply, "/seen", "1 2")),
    checkEach(
      "what has no route is answered with 404",
      NOWHERE,
      (target, path) => expectReply(target, { path }, { status: 404 }),
    ),
  ];
}
