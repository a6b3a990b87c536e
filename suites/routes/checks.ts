import { HEALTH_BODY } from "../../servers/adapter.ts";
import { idMaker } from "../../stores/dataset/user-at.ts";
import { checkEach, checkOne } from "../check-each.ts";
import { seeded } from "../seeded.ts";
import { type Check, expectReply, type Target } from "../suite.ts";
import { BODY_LIMIT_BYTES } from "./limits.ts";
import { NAMES, NAMES_SEED } from "./requests.ts";

/** Names drawn for each check. */
const DRAWN = 6;
/** Names as they stand in a path and as they are greeted: decoded, but for what is no UTF-8. */
const ODD_NAMES: readonly [path: string, name: string][] = [
  ["Ada", "Ada"],
  ["a%20b", "a b"],
  ["Zo%C3%AB", "Zoë"],
  ["%F0%9F%90%BB", "🐻"],
  ["100%25", "100%"],
  ["%22q%22", '"q"'],
  ["%ff", "%ff"],
];
/** Bodies to send and what they are once parsed and written again. */
const BODIES: readonly [sent: string, written: string][] = [
  ["{}", "{}"],
  [' { "a" : 1.0 ,\n"b":[ true,null ] } ', '{"a":1,"b":[true,null]}'],
  ['{"b":1,"a":2}', '{"b":1,"a":2}'],
  ['{"text":"\\u00e9\\n\\ud83d\\udc3b"}', '{"text":"é\\n🐻"}'],
  ['{"__proto__":{"a":1}}', '{"__proto__":{"a":1}}'],
];
/** JSON that is no object. */
const NO_OBJECTS = ["[]", "[1,2]", "null", "3", '"text"'];

const errorText = (error: string) => JSON.stringify({ error });
const NO_ROUTE = errorText("no such route");
const NOT_JSON = errorText("the body is not JSON");
const NO_OBJECT = errorText("the body is not an object");
const TOO_LARGE = errorText(`a body has at most ${BODY_LIMIT_BYTES} bytes`);

const JSON_TYPE = { "content-type": "application/json" };

const got = (target: Target, path: string, body: string, status = 200) =>
  expectReply(target, { path }, { status, body, headers: JSON_TYPE });
const posted = (target: Target, path: string, sent: string, body: string, status = 200) =>
  expectReply(target, { method: "POST", path, body: sent }, { status, body, headers: JSON_TYPE });

/** One request: the server answers at all. */
export const alive = checkOne("health is answered", (target) => got(target, "/health", HEALTH_BODY));

/** Checks of the bare server: it gives the health reply whatever the path. */
export const bareChecks: readonly Check[] = [
  checkEach(
    "each path is answered with the health reply",
    ["/health", "/", "/greet/Ada"],
    (target, path) => got(target, path, HEALTH_BODY),
  ),
];

/** Returns the checks of the app, whatever its runtime. */
export function checks(seed: number): readonly Check[] {
  const random = seeded(seed);
  const nameOf = idMaker(NAMES_SEED);
  const drawn = Array.from({ length: DRAWN }, () => nameOf(Math.floor(random() * NAMES)));
  const greeting = (name: string) => JSON.stringify(`Hello, ${name}!`);
  return [
    checkEach(
      "whoever is named in the path is greeted",
      [...drawn.map((name) => [name, name] as const), ...ODD_NAMES],
      (target, [path, name]) => got(target, `/greet/${path}`, `{"greeting":${greeting(name)}}`),
    ),
    checkEach(
      "a JSON body is parsed and sent back",
      [
        ...BODIES,
        ...[...NO_OBJECTS, ...drawn.map((name) => JSON.stringify({ message: name }))].map((text) => [text, text]),
      ],
      (target, [sent, written]) => posted(target, "/echo", sent!, written!),
    ),
    checkEach("a greeting is merged into the body that was sent", BODIES, async (target, [sent, written]) => {
      const merged = (name: string) =>
        written === "{}" ? `{"greeting":${greeting(name)}}` : `${written.slice(0, -1)},"greeting":${greeting(name)}}`;
      await posted(target, `/greet/${drawn[0]}`, sent, merged(drawn[0]!));
      await posted(target, "/greet/Zo%C3%AB", sent, merged("Zoë"));
    }),
    {
      name: "a body that is not what it should be is answered with 400",
      async run(target) {
        const broken = ["", "{", "{'a':1}", "nul", '{"a":1}}'];
        const paths = ["/echo", "/greet/Ada"];
        for (const path of paths) for (const sent of broken) await posted(target, path, sent, NOT_JSON, 400);
        for (const sent of NO_OBJECTS) await posted(target, "/greet/Ada", sent, NO_OBJECT, 400);
        return paths.length * broken.length + NO_OBJECTS.length;
      },
    },
    checkEach("a body above the limit is refused with 413", ["/echo", "/greet/Ada"], async (target, path) => {
      const text = (bytes: number) => JSON.stringify("x".repeat(bytes - 2));
      await posted(target, path, text(BODY_LIMIT_BYTES + 1), TOO_LARGE, 413);
      if (path === "/echo") await posted(target, path, text(BODY_LIMIT_BYTES), text(BODY_LIMIT_BYTES));
    }),
    {
      name: "unknown routes are answered with 404",
      async run(target) {
        const paths = ["/", "/health/", "/greet", "/greet/", "/greet/a/b", "/echo", "/favicon.ico"];
        for (const path of paths) await got(target, path, NO_ROUTE, 404);
        await posted(target, "/health", "{}", NO_ROUTE, 404);
        return paths.length + 1;
      },
    },
  ];
}
