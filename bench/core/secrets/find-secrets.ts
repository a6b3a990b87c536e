/** Secrets in the files of a run: by their form, by what they are called, and by how random they look. */
import { orElse } from "../../basics/or-else.ts";
import { type JsonString, jsonStrings } from "./json-strings.ts";
import { randomWords } from "./random-words.ts";
import { namesHarmless, namesSecret, saysSecret } from "./secret-names.ts";
import { SECRET_SHAPES } from "./secret-shapes.ts";

/** A secret of a run, told without telling it. */
export interface Secret {
  readonly what: string;
  /** Its beginning and its length. */
  readonly masked: string;
  /** Where it stands first. */
  readonly file: string;
  readonly line: number;
  readonly times: number;
}

type Found = readonly [what: string, secret: string];

/** Keys of a record under which stands what people sent, started or set. All else random in it is a hash of ours. */
const OWN = new Set(["headers", "words", "command", "path", "url", "ready", "env", "environment", "hosts"]);

/** Secrets of files of JSON or of lines of JSON, each once, in the order of the files. */
export function findSecrets(files: Readonly<Record<string, string>>): Secret[] {
  const found = new Map<string, Secret>();
  for (const [file, text] of Object.entries(files)) {
    const add = (line: number, secrets: readonly Found[]) => {
      for (const [what, secret] of secrets) {
        const known = found.get(secret);
        const times = (known?.times ?? 0) + 1;
        found.set(
          secret,
          known === undefined ? { what, masked: masked(secret), file, line, times } : { ...known, times },
        );
      }
    };
    for (const one of jsonStrings(text)) {
      if ("text" in one) add(one.line, secretsOf(one));
      else {
        for (const each of inCommand(one.words.map(({ text }) => text).join(" "))) {
          const of = one.words.find(({ text }) => text.includes(each[1]));
          // What a word says by itself was found in it.
          if (of !== undefined && !secretsOf(of).some(([, secret]) => secret === each[1])) add(of.line, [each]);
        }
      }
    }
  }
  return [...found.values()];
}

/** So that who knows it knows it again, and nobody else learns it. */
const masked = (secret: string) =>
  secret.length < 12 ? `${secret.length} characters` : `${secret.slice(0, 4)}…, ${secret.length} characters`;

function secretsOf({ text, keys }: JsonString): Found[] {
  const key = keys.at(-1) ?? "";
  if (namesSecret(key) && saysSecret(text)) return [[`what "${key}" holds`, text]];
  const plain = text.includes("%") ? `${text}\n${percentDecoded(text)}` : text;
  const found = [...shaped(plain), ...inAddresses(plain), ...named(plain), ...inCommand(plain)];
  if (keys.some((one) => OWN.has(one)) && !namesHarmless(key) && !HARMLESS_HEADER.test(text)) {
    for (const word of randomWords(text)) {
      if (!found.some(([, secret]) => secret.includes(word) || word.includes(secret))) {
        found.push(["a word that looks random", word]);
      }
    }
  }
  return found;
}

/** A header in one word of a command line. */
const HARMLESS_HEADER = /^\s*(?:etag|if-none-match|[\w-]*digest|content-md5|x-request-id|traceparent)\s*:/i;

const shaped = (text: string): Found[] =>
  SECRET_SHAPES.flatMap(([what, shape]) => [...text.matchAll(shape)].map(([secret]): Found => [what, secret]));

/** `https://user:password@host`, `user:password@host`, `https://token@host`; `npm:hono@4` and hashes are none. */
const ADDRESSES = [
  /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]*:\/\/[^\s/?#@:"']*:([^\s/?#"']+)@/gi,
  /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]*:\/\/([^\s/?#@:"']{16,})@/gi,
  /(?:^|[\s"'=,])(?!(?:npm|jsr|node|file|git|https?|workspace):)[\w.+-]+:([^\s/@:"']{3,})@(?!sha\d)[a-z][\w-]*(?:\.[\w-]+|:\d)/gim,
];

const inAddresses = (text: string): Found[] =>
  valuesOf(text, ADDRESSES).map((secret) => ["a password in an address", secret]);

/** `name=value`, `name: value`, `"name": "value"`, also in a text within a text. A value may hold the next name. */
const NAMED =
  /(?<![\w.-])([\w.-]+)(?:\[[\w-]*\])?[\\"']*\s*[=:]\s*\\*(?=(["'])(.{0,999}?)\2|((?:(?:Bearer|Basic|Token|Digest)\s+)?[^\s"'&;,(){}[\]]{1,99}))/gi;

/** `<name>value</name>`, and a part of a form. */
const PARTS = [/<([\w.:-]+)>([^<]+)<\//g, /\bname="([^"]+)"\r?\n\r?\n([^\r\n]+)/g];

function named(text: string): Found[] {
  const said = [...text.matchAll(NAMED)].map(([, name, , quoted, bare]) => [name!, quoted ?? bare!] as const);
  const parts = PARTS.flatMap((part) => [...text.matchAll(part)].map(([, name, value]) => [name!, value!] as const));
  return [...said, ...parts].filter(([name, value]) => namesSecret(name) && saysSecret(value))
    .map(([name, value]): Found => [`what "${name}" holds`, value]);
}

/** Passwords that programs are given by options whose names do not say so. */
const OPTIONS = [
  /(?:^|\s)(?:-u|-U|--user|--proxy-user)[ =]?[\w.@+-]*:(\S+)/g,
  /\b(?:mysql|mariadb)[\w-]*\s(?:.*?\s)??-p([^\s-]\S*)/g,
  /\bsshpass\s+-p\s*(\S+)/g,
  /\b(?:redis-cli|valkey-cli)\s(?:.*?\s)??-a\s+(\S+)/g,
];

/** `--password x`, and what other options are known to say. */
function inCommand(text: string): Found[] {
  const said = [...text.matchAll(/(?:^|\s)--?([A-Za-z][\w-]*)\s+["']?([^\s"'-][^\s"']*)/g)]
    .filter(([, name, value]) => namesSecret(name!) && saysSecret(value!))
    .map(([, name, value]): Found => [`what "--${name}" is given`, value!]);
  const bearers = [...text.matchAll(/\b(?:Bearer|Basic)\s+([\w.~+/=-]{8,})/gi)].map(([, value]) => value!)
    .filter((value) => /[\dA-Z=]/.test(value));
  return [
    ...said,
    ...valuesOf(text, OPTIONS).map((secret): Found => ["a password in a command", secret]),
    ...bearers.map((secret): Found => ["what proves who asks", secret]),
  ];
}

const valuesOf = (text: string, patterns: readonly RegExp[]) =>
  patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, value]) => value!).filter(saysSecret));

function percentDecoded(text: string): string {
  return orElse(() => decodeURIComponent(text), "");
}
