/** Shorter words look drawn by chance by chance. */
const LEAST = 20;
/** The least for hexadecimal words, which have fewer different signs. */
const LEAST_HEX = 32;
/** Bits a sign: twenty random letters and digits have 4, words of a language and repetitions less. */
const LEAST_BITS = 3.2;
/** Share of neighbours of different kinds (small, great, digit): random hex has 0.47, `camelCaseNames2` 0.2. */
const LEAST_CHANGES = 0.3;

/** Random, and no secret: `sha256:…`, `sha512-…=`, folders of Nix, UUIDs. */
const KNOWN = new RegExp(
  [
    "\\bsha\\d+[:=-][A-Za-z0-9+/=]+",
    "/nix/[a-z]+/[a-z0-9]{32}",
    "\\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b",
    "\\bboundary=\\S+",
  ].join("|"),
  "gi",
);

const kindOf = (sign: string) => /[0-9]/.test(sign) ? 0 : /[a-z]/.test(sign) ? 1 : 2;

/** Words of a text that look drawn by chance, by their entropy and by how often letters and digits change. */
export function randomWords(text: string): string[] {
  return text.replaceAll(KNOWN, " ").split(/[^\w+=-]+/).flatMap((word) =>
    // A name and its value are two words.
    word.split(/(?<=\w)=(?=\w)/)
  ).filter(isRandom);
}

function isRandom(word: string): boolean {
  const signs = [...word.replaceAll(/[^A-Za-z0-9]/g, "")];
  const isHex = /^(?:[0-9a-f]*|[0-9A-F]*)$/.test(signs.join(""));
  if (signs.length < (isHex ? LEAST_HEX : LEAST) || !/\d/.test(word) || !/[A-Za-z]/.test(word)) return false;
  const counts = new Map<string, number>();
  for (const sign of signs) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= count / signs.length * Math.log2(count / signs.length);
  const changes = signs.filter((sign, n) => n > 0 && kindOf(sign) !== kindOf(signs[n - 1]!)).length;
  return bits >= (isHex ? LEAST_BITS - 0.4 : LEAST_BITS) && changes / (signs.length - 1) >= LEAST_CHANGES;
}
