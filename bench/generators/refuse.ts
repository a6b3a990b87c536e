import type { Body, RequestPlan } from "../../suites/suite.ts";
import { counted } from "../basics/units.ts";
import { whyNotDrawn } from "./drawn-requests.ts";
import { credentialIn, isRealSecret, namesSecret } from "../basics/secret-names.ts";
import { type Generator, speaksProtocol } from "./generator.ts";

/**
 * Returns why a generator must not have requests, in one line; null if nothing is shown. It takes them as arguments, which
 * `ps` shows to every user. A header holds a secret by its name or its value.
 */
export function whyExposed(
  { name, abilities: { showsHeaders } }: Pick<Generator, "name" | "abilities">,
  requests: RequestPlan,
): string | null {
  if (!showsHeaders) return null;
  const takes = `${name} takes its requests as arguments, which every user here may read`;
  // Most of many requests have the same headers.
  const headers = new Map(
    requests.mix.flatMap(({ headers = {} }) => Object.entries(headers)).map((each) => [JSON.stringify(each), each]),
  );
  for (const [header, value] of headers.values()) {
    const what = namesSecret(header) && isRealSecret(value) ? "" : credentialIn(value);
    if (what !== undefined) {
      return `${takes}, ${what === "" ? "" : `${what} in `}header "${header}" too: ${hiddenBy(requests)}`;
    }
  }
  return null;
}

/** The generators that get requests of the same kind by a file, which their user alone may read. */
function hiddenBy({ pace, protocol = "http" }: RequestPlan): string {
  if (protocol.startsWith("h2")) return `h2load alone speaks ${protocol}, so use --protocol https or a stand-in value`;
  if (protocol === "http") return "closed" in pace ? "--generator wrk" : "--generator ontime";
  if (!("closed" in pace)) return "h2load alone keeps a rate over TLS, so use --protocol http or a stand-in value";
  return "--generator wrk";
}

/** Numbers of messages have ten bits for their connection, see websocket.lua. */
const MOST_NUMBERED = 1_023;

/** Why a generator cannot put a plan on a server, in one line; null when it can. */
export function whyNot(
  { name, abilities }: Pick<Generator, "name" | "abilities">,
  requests: RequestPlan,
): string | null {
  const { sends, openLoop, newConnections, resumes, calls } = abilities;
  if (calls !== requests.calls) {
    return calls ? `${name} sends nothing` : "functions are called, and nothing is sent: --generator in-process";
  }
  if ((abilities.messages === true) !== (requests.websocket !== undefined)) {
    return abilities.messages ? `${name} sends messages alone` : `${name} sends no messages: --generator websocket`;
  }
  if (requests.websocket !== undefined) {
    const { pace, websocket: { inFlight, idle = 0 } } = requests;
    const connections = idle + ("closed" in pace ? pace.closed : pace.connections);
    if (connections > MOST_NUMBERED) {
      return `${name} has numbers for ${counted(MOST_NUMBERED, "connection")}, and ${connections} are requested`;
    }
    if (inFlight > MOST_NUMBERED) {
      return `${name} has numbers for ${counted(MOST_NUMBERED, "message")} in flight, and ${inFlight} are requested`;
    }
  }
  if (requests.mix.some(({ method }) => method === "HEAD")) {
    return "wrk, which warms every server up, cannot read replies to HEAD: ask with GET";
  }
  if (!("closed" in requests.pace) && !openLoop) return `${name} cannot keep a rate`;
  const { protocol = "http", connection = "kept" } = requests;
  if (!speaksProtocol({ abilities }, requests)) {
    if (abilities.messages) return `${name} speaks WebSocket over HTTP/1.1: --protocol http or https`;
    return `${name} does not speak ${protocol}: --generator ${protocol === "https" ? "wrk or h2load" : "h2load"}`;
  }
  if (connection === "kept" && newConnections === "only") return `${name} keeps no connections: --generator wrk`;
  if (connection === "resumed" && protocol !== "https") return "only HTTP/1.1 over TLS has sessions to go on with here";
  if (connection === "resumed" && newConnections !== "only") {
    return `${name} does not go on with a session of TLS in each connection: --generator connect`;
  }
  if (connection === "new" && !newConnections) return `${name} keeps its connections`;
  if (connection === "new" && protocol === "https" && resumes) {
    return `${name} goes on with earlier sessions of TLS in some of its new connections: --generator connect`;
  }
  if (sends === "mix") return null;
  if (requests.mix.some(({ headers = {} }) => Object.keys(headers).some((each) => each.toLowerCase() === "host"))) {
    return `${name} makes the Host header itself: --generator wrk`;
  }
  const shown = whyExposed({ name, abilities }, requests);
  if (shown !== null) return shown;
  if (abilities.textAlone && requests.mix.some(({ body }) => typeof body === "object")) {
    return `${name} sends bodies as text alone: --generator wrk`;
  }
  const why = whyNotDrawn(requests);
  if (why !== null) return `${name} sends requests drawn beforehand: ${why}`;
  const { mix, draws = {} } = requests;
  const drawn = Object.keys(draws);
  if (sends === "one" && (mix.length > 1 || drawn.length > 0)) return `${name} sends one request again and again`;
  if (sends === "paths") {
    const inText = (text: Body) => typeof text === "string" && drawn.some((each) => text.includes(`{${each}}`));
    const [first, ...others] = mix.map(({ method, headers, body }) => JSON.stringify([method, headers, body]));
    const differ = others.some((each) => each !== first) ||
      mix.some(({ headers = {}, body = "" }) => [...Object.values(headers), body].some(inText));
    if (differ) return `${name} sends requests that differ in their paths alone`;
  }
  return null;
}
