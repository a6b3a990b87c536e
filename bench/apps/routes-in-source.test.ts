import assert from "node:assert/strict";
import { test } from "node:test";
import { routesInSource } from "./routes-in-source.ts";

/** Routes of files with these texts, as `METHOD /path`. */
const routes = (files: Readonly<Record<string, string>>) =>
  routesInSource(new Map(Object.entries(files))).map(({ method, path }) => `${method} ${path}`);

test("routes are found as each framework writes them", () => {
  const cases: Readonly<Record<string, readonly [text: string, found: readonly string[]]>> = {
    calls: ["app.get('/a', f);\nrouter.post(\"/b/:id\", f); app . put(`/c`, f);", ["GET /a", "POST /b/:id", "PUT /c"]],
    chains: ["new Elysia().get('/', 1)\n  .delete('/x', f).listen(3000)", ["GET /", "DELETE /x"]],
    typed: ["fastify.get<{ Params: P }>('/p', f)", ["GET /p"]],
    hapi: ["server.route({ method: 'GET', path: '/h/{id}', handler })", ["GET /h/{id}"]],
    fastify: ["app.route({ url: '/f', method: 'POST', handler })", ["POST /f"]],
    route: ["router.route('/r').get(f)", ["GET /r"]],
    plain: [
      "if (req.method === 'POST' && req.url === '/sum') f();\nelse if (req.url === '/a') g();",
      ["POST /sum", "GET /a"],
    ],
    cases: ["switch (url.pathname) {\n case '/one': f();\n}", ["GET /one"]],
    none: ["axios.post('/x'); res.get('/y'); map.get('z'); // app.get('/old')\n/* app.get('/older') */", []],
  };
  for (const [name, [text, found]] of Object.entries(cases)) {
    assert.deepEqual(routes({ "a.js": text }), found, name);
  }
});

test("routers have the prefixes they are mounted under, in their own file, another or a chain of them", () => {
  assert.deepEqual(
    routes({
      "app.js": "var users = require('./routes/users');\napp.use('/users', auth, users);\napp.get('/', f);\n",
      "routes/users.js": "router.get('/', f); router.post('/:id', f);",
    }),
    ["GET /", "GET /users", "POST /users/:id"],
  );
  assert.deepEqual(
    routes({
      "src/index.ts":
        'import api from "./api/index.js";\nimport { a as b } from "./b.ts";\napp.use("/v1", api);\napp.route("/b", b);\n',
      "src/api/index.ts": "const r = Router();\nr.use('/items', require('./items'));\nr.get('/', f);",
      "src/api/items.ts": "const r = new Router({ prefix: '/all' });\nr.get('/:id', f);",
      "src/b.ts": "a.get('/c', f)",
    }),
    ["GET /v1", "GET /v1/items/all/:id", "GET /b/c"],
  );
  assert.deepEqual(routes({ "a.js": "const r = Router();\napp.use('/r', r);\nr.get('/x', f);\napp.get('/y', f);" }), [
    "GET /r/x",
    "GET /y",
  ]);
  assert.deepEqual(
    routes({ "a.js": "app.register(import('./b.js'), { prefix: '/p' })", "b.js": "f.get('/x', f)" }),
    ["GET /p/x"],
  );
  assert.deepEqual(
    routes({ "app.js": 'require("@fastify/autoload")', "routes/example/index.js": "fastify.get('/', f)" }),
    ["GET /example"],
  );
});

test("files that mount each other are read once each, under the path the other gives them", () => {
  const files = {
    "a.js": "const b = require('./b');\na.use('/b', b);\na.get('/x', f);",
    "b.js": "const a = require('./a');\nb.use('/a', a);\nb.get('/y', f);",
  };
  assert.deepEqual(routes(files), ["GET /a/x", "GET /b/y"]);
});
