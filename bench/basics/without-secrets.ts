/** Texts of strangers' servers in messages: the name of a secret is shown, and never its value. */
import { randomWords } from "./random-words.ts";
import { isRealSecret, namesSecret } from "./secret-names.ts";

/** A name with the sign behind it, as query strings, headers, JSON, JSON within JSON and XML write them. */
const NAME = /(?<![\w.-])([\w.-]+)\\*["']?\s{0,8}(?:[=:>]|%3[ad])\s{0,8}/gi;
/** The value behind a name: one in quotes ends with them, a scheme of authorization belongs to it. */
const VALUE =
  /"(?:\\[^]|[^"\\])*|\\+"[^"]*|'[^']*|(?:(?:bearer|basic|token|digest|negotiate|apikey) +)?[^\s"'&;,<>]+/iy;

/** A name and its value in the attributes of one tag. */
const OF_FORM = /(\bname=["']?([\w.-]+)["']?\s{1,8}(?:value|content)=["']?)([^"'>\s]+)/gi;

/** Values that are credentials under any name, with the text before them. */
const BY_FORM = [
  /(^(?:bearer|basic|token|digest|negotiate|apikey)\s+)(\S+)/gi,
  /(\b[a-z][a-z+.-]{0,20}:\/\/[^\s/:@]+:)([^\s/@]+)(?=@)/gi,
  /()(\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*)/g,
  /()(\b(?:gh[oprsu]_|github_pat_|glpat-|npm_|sk-|xox[abeoprs]-|AKIA|AIza)[\w-]{16,})/g,
];

/** As many dots as a secret has characters, so that positions in a text stay the same. */
const hidden = (secret: string) => "•".repeat(secret.length);

/** Returns a text with dots for each sign of a secret: of values under a secret's name, and of those that look like one. */
export function withoutSecrets(text: string): string {
  const plain = BY_FORM.reduce((all, form) => all.replace(form, (_, before, secret) => before + hidden(secret)), text)
    .replace(OF_FORM, (all, before, name, value) => namesSecret(name) ? before + hidden(value) : all);
  const shown = withoutNamed(plain);
  return randomWords(shown).reduce((all, word) => all.replaceAll(word, hidden(word)), shown);
}

function withoutNamed(text: string): string {
  let shown = "";
  for (const { 0: all, 1: name, index } of text.matchAll(NAME)) {
    VALUE.lastIndex = index + all.length;
    const value = namesSecret(name!) ? VALUE.exec(text)?.[0] : undefined;
    if (value === undefined || index < shown.length || !isRealSecret(value.replace(/^\\*["']/, ""))) continue;
    shown += text.slice(shown.length, VALUE.lastIndex - value.length) + hidden(value);
  }
  return shown + text.slice(shown.length);
}

/** Returns a value as JSON with dots in the place of secrets, at any depth. */
export const jsonWithoutSecrets = (value: unknown): string =>
  JSON.stringify(value, (name, inner: unknown) => {
    if (isSecret(name, inner)) return "•••";
    return typeof inner === "string" ? withoutSecrets(inner) : inner;
  });

/** Returns true if a value under a name is a secret: no placeholder, no answer of yes or no. */
const isSecret = (name: string, value: unknown): boolean =>
  namesSecret(name) && (typeof value === "object" ? value !== null : isRealSecret(String(value)));
