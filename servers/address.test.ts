import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { SCRIPT_ARGS } from "../bench/runtimes/runtimes.ts";
import { runtime } from "../tests/testing.ts";
import { isAddress, isIpAddress, isServerUrl } from "./address.ts";

const ADDRESSES = ["127.0.0.1", "::1", "fe80::1%eth0", "localhost", "box-1.example.org", "a"];
const OTHERS = [
  ...[
    "",
    " ",
    "127.0.0.1\n",
    "10.0.0.1\nhost all all all trust",
    "a b",
    "a\tb",
    "a,b",
    "*",
    "-a",
    "a-",
    ".a",
    "a..b",
    "a_b",
  ],
  ...["fe80::1%eth 0", "fe80::1%", "127.0.0.1/0", "1.2.3.4:80", "a#b", 'a"b', "a'b", "a\0", "ä", "a".repeat(254)],
];

test("an address is an IP address or a host name, and nothing that a configuration reads as more", () => {
  assert.deepEqual([...ADDRESSES, ...OTHERS].filter(isAddress), ADDRESSES);
  assert.deepEqual([...ADDRESSES, ...OTHERS].filter(isIpAddress), ADDRESSES.slice(0, 3));
});

test("the URL of a server is a scheme, an address, a port and a path", () => {
  const urls = ["http://127.0.0.1:80", "https://a.b:1/c?d=e", "tcp://127.0.0.1:5432", "http://[::1]:80", "http://a"];
  const others = [
    "file:///etc/passwd",
    "http://",
    "http://a@b:1",
    "http://a:b",
    "http://a:1/ b",
    "http://a:1/\r\nX: y",
    "a:1",
  ];
  assert.deepEqual([...urls, ...others].filter(isServerUrl), urls);
});

for (const variable of ["HOST", "CLIENTS"]) {
  test(`a service takes no ${variable} that is no address, before it writes any rule of it`, () => {
    for (const service of ["postgres", "redis"]) {
      const file = fileURLToPath(new URL(`services/${service}.ts`, import.meta.url));
      const env = { ...process.env, FOLDER: "/nonexistent", [variable]: "10.0.0.1\nhost all all all trust" };
      const { status, stderr } = spawnSync(process.execPath, [...SCRIPT_ARGS[runtime.name], file, "--look"], {
        env,
        encoding: "utf8",
      });
      assert.notEqual(status, 0);
      assert.match(stderr, new RegExp(`${variable} is "10\\.0\\.0\\.1\\\\n?.*which is no IP address`));
    }
  });
}
