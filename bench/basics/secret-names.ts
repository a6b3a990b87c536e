import { randomWords } from "./random-words.ts";

/** Suffixes of names that hold secrets, with separators removed: of `X-Api-Key`, `client_secret` and `dbPassword`. */
const ENDS = new RegExp(
  `(?:${
    [
      ...[
        "password",
        "passwd",
        "passphrase",
        "passcode",
        "userpwd",
        "mysqlpwd",
        "secret",
        "credentials?",
        "token",
        "jwt",
      ],
      ...["(?:api|access|secret|private|signing|encryption|master|auth|account|service|session|subscription)keys?"],
      ...["authorization", "cookie", "sessionid", "sessid", "connectsid", "signature", "csrf", "xsrf", "apikeyid"],
    ].join("|")
  })$`,
);

/** Names of secrets that are no suffix of others. */
const WHOLE = /^(?:pw|pwd|pass|auth|xauth|sid|sig|otp|bearer|session|login)$/;

/** True if a name is that of a secret: of a header, a JSON key, a parameter, a variable or an option. */
export function namesSecret(name: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return ENDS.test(plain) || WHOLE.test(plain);
}

/** Placeholders in the place of a secret: nothing, a variable, a draw, stars. */
const STANDS_IN = /^(?:\$\w+|\$?\{[^}]*\}|<[^>]*>|\*+|x{3,}|\.+|…|true|false|null|undefined|none|redacted)?$/i;

/** True if a value under a secret's name is a secret, and no placeholder for one. */
export const isRealSecret = (value: string): boolean =>
  !STANDS_IN.test(value.trim().replace(/^(?:bearer|basic|token|digest|negotiate)(?:\s+|$)/i, "").trim());

/** Values that are credentials under any name: a scheme of authorization, or an address with a password. */
const BY_FORM: readonly (readonly [what: string, form: RegExp])[] = [
  ["a key of its user", /^(?:bearer|basic|token|digest|negotiate|apikey)\s+\S/i],
  ["a password in an address", /\b[a-z][a-z+.-]*:\/\/[^\s/:@]+:[^\s/@]+@/i],
  ["a JSON web token", /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\./],
  ["a token of a service", /\b(?:gh[oprsu]_|github_pat_|glpat-|npm_|sk-|xox[abeoprs]-|AKIA|AIza)[\w-]{16,}/],
];

/** Returns the kind of credential in a value, by its form or because it looks random; undefined without one. */
export function credentialIn(value: string): string | undefined {
  if (!isRealSecret(value)) return undefined;
  const form = BY_FORM.find(([, form]) => form.test(value))?.[0];
  if (form !== undefined) return form;
  const named = [...new URLSearchParams(value)].find(([name, text]) => namesSecret(name) && isRealSecret(text));
  return named !== undefined ? `"${named[0]}"` : randomWords(value).length > 0 ? "a long random word" : undefined;
}
