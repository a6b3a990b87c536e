import { shellWords } from "../core/own/shell-words.ts";

/** A word of a command that leads to a host which may say who went there, and what it is. */
export interface HostWord {
  readonly what: string;
  readonly word: string;
}

/** Addresses that many networks have alike. */
const ANYWHERE =
  /^(?:0\.|127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|::1$|f[cd])/i;
const IS_ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]*:[0-9a-f:.]*:[0-9a-f.]*)$/i;
/** A name that is looked up, and leads to one machine alone. */
const IS_NAME = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$/i;
/** `ada@box1.example.org`, `ssh://ada@box1.example.org:22`, `[2001:db8::1]` */
const PLACE = /^(?:[a-z]+:\/\/)?(?:([^@/\s]+)@)?(?:\[([^\]]+)\]|([^/@\s]+?)(?::\d+)?)\/?$/i;

/**
 * What the commands that led to a run's hosts, and the address of its servers, say of somebody. That is who goes there,
 * names that are looked up, and addresses of no private network. A host that is called by a short name says nothing.
 *
 * @param runJson text of a run.json; nothing is found in what is none
 */
export function hostWords(runJson: string | undefined): HostWord[] {
  const { server, load, address, service, serviceAddress } = hostsOf(runJson);
  const commands = [server, load, service].map((command) => shellWords(command) ?? command.split(/\s+/));
  const found = [
    ...commands.flatMap((words) => words.flatMap((word, n) => words[n - 1] === "-l" ? [user(word)] : placeWords(word))),
    ...placeWords(address),
    ...placeWords(serviceAddress),
  ];
  return [...new Map(found.map((one) => [one.word, one])).values()];
}

const user = (word: string): HostWord => ({ what: "a user's name on a host", word });

function placeWords(text: string): HostWord[] {
  const plain = IS_ADDRESS.test(text) ? text : undefined;
  const [, who, bracketed, name] = plain === undefined ? PLACE.exec(text) ?? [] : [];
  const host = plain ?? bracketed ?? name ?? "";
  return [
    ...(who === undefined ? [] : [user(who)]),
    ...(IS_ADDRESS.test(host)
      ? ANYWHERE.test(host) ? [] : [{ what: "an address that leads to a host", word: host }]
      : IS_NAME.test(host)
      ? [{ what: "the name of a host", word: host }]
      : []),
  ];
}

function hostsOf(runJson: string | undefined) {
  let hosts: Readonly<Record<string, unknown>> = {};
  try {
    hosts = JSON.parse(runJson ?? "").hosts ?? {};
  } catch {
    // What is no JSON leads nowhere.
  }
  const text = (value: unknown) => typeof value === "string" ? value : "";
  const { host, address } = (hosts["service"] ?? {}) as Readonly<Record<string, unknown>>;
  return {
    server: text(hosts["server"]),
    load: text(hosts["load"]),
    address: text(hosts["address"]),
    service: text(host),
    serviceAddress: text(address),
  };
}
