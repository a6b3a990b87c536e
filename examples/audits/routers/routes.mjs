// Twelve routes and the request that is asked for, after honojs/hono, benchmarks/routers/src/tool.mts.
import findMyWay from "find-my-way";

const ROUTES = [
  ["GET", "/user"],
  ["GET", "/user/comments"],
  ["GET", "/user/avatar"],
  ["GET", "/user/lookup/username/:username"],
  ["GET", "/user/lookup/email/:address"],
  ["GET", "/event/:id"],
  ["GET", "/event/:id/comments"],
  ["POST", "/event/:id/comment"],
  ["GET", "/map/:location/events"],
  ["GET", "/status"],
  ["GET", "/very/deeply/nested/route/hello/there"],
  ["GET", "/static/*"],
];

/** The request of the published figure, with the place of its route. */
export const REQUESTS = [["GET", "/user/lookup/username/hey", 3]];

/** A router of Hono with all routes, as a function that gives the place of a request's route. */
export function honoRouter(Router) {
  const router = new Router();
  for (const [place, route] of ROUTES.entries()) router.add(...route, place);
  return ([method, path]) => router.match(method, path)[0][0][0];
}

/** The same of find-my-way. */
export function fastifyRouter() {
  const router = findMyWay();
  for (const [place, route] of ROUTES.entries()) router.on(...route, () => place);
  return ([method, path]) => router.find(method, path).handler();
}
