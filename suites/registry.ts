/** The suites of the project. Adding one is a folder next to this file and its line here. */
import { drivers } from "./drivers/suite.ts";
import { calls } from "./calls/suite.ts";
import { frameworks } from "./frameworks/suite.ts";
import { kv } from "./kv/suite.ts";
import { redis } from "./redis/suite.ts";
import { render } from "./render/suite.ts";
import { routes } from "./routes/suite.ts";
import { starts } from "./starts/suite.ts";
import { sqlite } from "./sqlite/suite.ts";
import { stream } from "./stream/suite.ts";
import type { Suite } from "./suite.ts";
import { templates } from "./templates/suite.ts";
import { users } from "./users/suite.ts";
import { websocket } from "./websocket/suite.ts";

export { SOURCE_LAYERS, type SourceLayers } from "./layers.ts";

/** All suites, in the order lists show them. */
export const SUITES: readonly Suite[] = [
  users,
  routes,
  sqlite,
  templates,
  render,
  stream,
  websocket,
  frameworks,
  kv,
  drivers,
  redis,
  calls,
  starts,
];
