/** Names of all load generators, the default first: for those who only list them. */
export const GENERATOR_NAMES = ["wrk", "oha", "k6", "autocannon", "ab", "h2load"] as const;
