import type { Body, RequestPlan } from "../../suites/suite.ts";
import { whyNotDrawn } from "./drawn-requests.ts";
import { type Abilities, type Generator, speaks } from "./generator.ts";
import { namesSecret, saysSecret } from "../basics/secret-names.ts";

/** The name of a secret that a generator would have among its arguments: a header or a parameter. */
function shownSecret({ showsHeaders, showsPaths }: Abilities, { mix }: RequestPlan): string | undefined {
  const said = mix.flatMap(({ path, headers = {} }) => [
    ...(showsHeaders ? Object.entries(headers) : []),
    ...(showsPaths ? new URLSearchParams(path.split("?")[1]) : []),
  ]);
  return said.find(([name, value]) => namesSecret(name) && saysSecret(value))?.[0];
}

/** Why a generator cannot put a plan on a server, in one line; null when it can. */
export function whyNot(
  { name, abilities }: Pick<Generator, "name" | "abilities">,
  requests: RequestPlan,
): string | null {
  const { sends, openLoop, newConnections, resumes, calls } = abilities;
  if (calls !== requests.calls) {
    return calls ? `${name} sends nothing` : "functions are called, and nothing is sent: --generator in-process";
  }
  if (requests.mix.some(({ method }) => method === "HEAD")) {
    return "wrk, which warms every server up, cannot read replies to HEAD: ask with GET";
  }
  if (!("closed" in requests.pace) && !openLoop) return `${name} cannot keep a rate`;
  const { protocol = "http", connection = "kept" } = requests;
  if (!speaks({ abilities }, requests)) {
    return `${name} does not speak ${protocol}: --generator ${protocol === "https" ? "wrk, h2load or ab" : "h2load"}`;
  }
  if (connection === "kept" && newConnections === "only") return `${name} keeps no connections: --generator wrk or ab`;
  if (connection === "resumed" && protocol !== "https") return "only HTTP/1.1 over TLS has sessions to go on with here";
  if (connection === "resumed" && newConnections !== "only") {
    return `${name} does not go on with a session of TLS in each connection: --generator connect`;
  }
  if (connection === "new" && !newConnections) return `${name} keeps its connections`;
  if (connection === "new" && protocol === "https" && resumes) {
    return `${name} goes on with earlier sessions of TLS in some of its new connections: --generator ab or connect`;
  }
  if (sends === "mix") return null;
  if (requests.mix.some(({ headers = {} }) => Object.keys(headers).some((each) => each.toLowerCase() === "host"))) {
    return `${name} makes the Host header itself: --generator wrk`;
  }
  const shown = shownSecret(abilities, requests);
  if (shown !== undefined) {
    return `${name} takes its requests as arguments, which every user here may read, "${shown}" too: --generator wrk or k6`;
  }
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
