/** The parts of a user's suite besides its servers, with one request for `/`: for runs and plans of attackers. */
export const ASKS_ONCE = {
  schema: "levelfield.own/2" as const,
  requests: [{ method: "GET", path: "/" }],
  draws: {},
  ignore: [],
  samples: [],
  starts: [],
  given: [],
  refused: [],
  listed_under: null,
};
