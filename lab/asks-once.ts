/** What a suite of one's own servers holds besides them, where it asks for `/` once: for runs and plans of attackers. */
export const ASKS_ONCE = {
  schema: "levelfield.own/1" as const,
  requests: [{ method: "GET", path: "/" }],
  draws: {},
  ignore: [],
  samples: [],
  refused: [],
  listed_under: null,
};
