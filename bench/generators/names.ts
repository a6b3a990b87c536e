/** Names of all load generators, the default first: for those who only list them. */
export const GENERATOR_NAMES = ["wrk", "ontime", "h2load", "k6", "autocannon", "ab"] as const;

/** Everything that measures: these, the one for new connections, and the one that sends nothing and has functions called. */
export const MEASURES = [...GENERATOR_NAMES, "connect", "in-process"] as const;
