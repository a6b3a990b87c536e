import type { User } from "../user.ts";
import { mix, mixKeys } from "./mix.ts";

const FIRST =
  "Ada Alan Barbara Bjarne Chloé Claude Donald Edsger Fabrice Grace Hedy Ingrid José Karen Ken Leslie Linus Łukasz Margaret Niklaus O'Neil Radia Renée Sophie Søren Tim Vint Yukihiro 雪 Zoë Niels Frances"
    .split(" ");
const LAST =
  "Allen Backus Bellard Berners-Lee Böhm Cerf Codd Dijkstra Engelbart Floyd Hamilton Hoare Hopper Håkansson Kay Kernighan Knuth Lamport Liskov Lovelace Matsumoto McCarthy Milner Müller Naur Perlis Perlman Ritchie Shannon Stroustrup Thompson Turing"
    .split(" ");
const COUNTRIES = "AT AU BE BR CA CH CN DE DK EG ES FI FR GB GR IE IN IT JP KE KR MX NG NL NO NZ PL PT SE SG US ZA"
  .split(" ");
const DAY_MS = 86_400_000;
const FIRST_DAY_MS = Date.UTC(2010, 0, 1);

/** Sizes are limited so that an index fits 32 bits with room for ids that are certainly absent. */
export const MAX_SIZE = 10_000_000;

const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** A word in eight hexadecimal digits: from a table, where V8 takes five times as long for `toString(16)`. */
const hex8 = (word: number) =>
  BYTES[word >>> 24]! + BYTES[word >>> 16 & 255]! + BYTES[word >>> 8 & 255]! + BYTES[word & 255]!;

/** Makes the function from index to id of one seed. Different indexes below 2^32 never share an id. */
export function idMaker(seed: number): (index: number) => string {
  const [a, b, c, d] = mixKeys(seed);
  return (index) => {
    const high = mix(mix(index | 0, a), b);
    const low = mix(mix(high, c), d);
    return hex8(high) + hex8(low);
  };
}

/**
 * Makes the function from index to user of one seed: the whole data set without its file.
 * Indexes from the data set's size upwards give users that are certainly not in it.
 */
export function userMaker(seed: number): (index: number) => User {
  const idOf = idMaker(seed);
  const [k] = mixKeys(seed ^ 0x5bf03635);
  return (index) => {
    const bits = mix(mix(index | 0, k), index | 0);
    const first = FIRST[bits & 31]!;
    const last = LAST[(bits >>> 5) & 31]!;
    return {
      id: idOf(index),
      name: `${first} ${last}`,
      email: `user.${index}@example.com`,
      age: 18 + ((bits >>> 10) & 63),
      country: COUNTRIES[(bits >>> 16) & 31]!,
      createdAt: new Date(FIRST_DAY_MS + ((bits >>> 19) & 4095) * DAY_MS + (index % DAY_MS)).toISOString(),
    };
  };
}
