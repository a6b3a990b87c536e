/** The parts of a user's suite besides its servers, with one request for `/`: for runs and plans of attackers. */
export const ASKS_ONCE = {
  schema: "levelfield.own/1" as const,
  requests: [{ method: "GET", path: "/" }],
  draws: {},
  ignore: [],
  samples: [],
  refused: [],
  listed_under: null,
};
