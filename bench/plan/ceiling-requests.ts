/** Requests as a null server gets them, whose rate is the generator's ceiling; and which of them have one in common. */
import type { Draw, RequestPlan, RequestTemplate } from "../../suites/suite.ts";
import { bodyBytes } from "../basics/body-bytes.ts";
import { present } from "../basics/present.ts";

/** Returns the parts of a draw that change its cost for a generator: all but its numbers and its file. */
function shapeOf(draw: Draw): unknown {
  const { below: _, from: __, file: ___, keys: ____, ...rest } = { below: 0, from: 0, file: "", keys: 0, ...draw };
  return "as" in rest && typeof rest.as === "object" ? { ...rest, as: "hex16" } : rest;
}

/**
 * A text that is equal for plans whose requests cost a generator the same to make: same templates, same kinds of draws,
 * whatever the range. The generator's ceiling is measured once for each.
 */
export function requestKind(requests: RequestPlan): string {
  const { pace, mix, websocket, draws = {} } = ceilingRequests(requests);
  // Of messages the length counts: they are made before the load.
  const sent = websocket?.asGiven !== true ? mix : mix.map(({ body = "", ...rest }) => [rest, bodyBytes(body).length]);
  return JSON.stringify([pace, sent, websocket, Object.entries(draws).map(([name, draw]) => [name, shapeOf(draw)])]);
}

/**
 * Returns requests as a null server can answer them, which sends each message back: the longer one of message and reply
 * stands for both, so that the generator's ceiling is none that is too high.
 */
export function ceilingRequests({ websocket, mix, ...requests }: RequestPlan): RequestPlan {
  if (websocket?.asGiven !== true) return { ...requests, mix, ...present({ websocket }) };
  const { reply, firstReplies: _, ...echo } = websocket,
    [{ first: __, body = "", ...template }] = mix as [RequestTemplate];
  const longer = reply !== undefined && bodyBytes(reply).length > bodyBytes(body).length ? reply : body;
  return { ...requests, mix: [{ ...template, body: longer }], websocket: echo };
}
