/** Which layer a file belongs to: packages by their folder, files of this project by theirs; the longest path that fits counts. */

/** See above: the beginning of a path from the last `node_modules/` on, or from the project's folder. */
export type SourceLayers = readonly (readonly [
  path: string,
  layer: "app" | "template" | "data" | "driver" | "framework" | "adapter" | "runtime-http",
])[];

const packages = (layer: SourceLayers[number][1], names: string): SourceLayers =>
  names.split(" ").map((name) => [`node_modules/${name}/`, layer] as const);

/** See {@link SourceLayers}. A package that is not here is unknown; a file that is in none is somebody's app. */
export const SOURCE_LAYERS: SourceLayers = [
  ...packages(
    "framework",
    "hono express express4 fastify koa h3 elysia polka itty-router rou3 router find-my-way koa-compose memoirist trouter " +
      "regexparam path-to-regexp body-parser cookies finalhandler fast-json-stringify secure-json-parse light-my-request avvio " +
      "send serve-static content-type type-is accepts negotiator parseurl fresh etag vary qs http-errors depd delegates " +
      "exact-mirror statuses on-finished encodeurl escape-html merge-descriptors array-flatten utils-merge proxy-addr " +
      "content-disposition mime-types reusify fast-querystring fast-decode-uri-component pino cookie toad-cache @tinyhttp " +
      "@fastify @oakserver @koa @polka @nestjs restify hapi @hapi micro find-my-way-ts radix3 unctx ufo cookie-es",
  ),
  ...packages(
    "adapter",
    "@hono/node-server srvx @whatwg-node/server @elysiajs/node @fastify/express crossws ws hono/dist/adapter " +
      "hono/dist/helper/websocket",
  ),
  ...packages(
    "template",
    "hono/dist/jsx hono/dist/helper/html eta liquidjs ejs pug handlebars mustache nunjucks react react-dom preact " +
      "preact-render-to-string solid-js vue @vue svelte kitajs @kitajs marko",
  ),
  ...packages(
    "driver",
    "pg pg-protocol pg-pool pg-types pg-connection-string postgres postgres-array postgres-bytea postgres-date " +
      "postgres-interval mysql2 ioredis @ioredis redis @redis cluster-key-slot redis-parser standard-as-callback denque " +
      "drizzle-orm kysely @prisma libsql @libsql better-sqlite3 mongodb mongoose typeorm sequelize knex @valkey",
  ),
  ["servers/", "adapter"],
  ["servers/apps/", "app"],
  ["servers/ballast.ts", "app"],
  ["servers/bare/", "runtime-http"],
  ["stores/", "data"],
  ["suites/drivers/sql/", "driver"],
  ["suites/redis/clients/", "driver"],
  ["suites/templates/engines/", "template"],
];
