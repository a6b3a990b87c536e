import assert from "node:assert/strict";
import { test } from "node:test";
import { hostWords } from "./host-words.ts";
import { privateTexts } from "./private-texts.ts";

const words = (server: string | null, load: string | null = null, address = "127.0.0.1") =>
  hostWords(JSON.stringify({ hosts: { server, load, address } })).map(({ what, word }) => [what, word]);

test("of a way to a host users, looked-up names and public addresses are found, short names and private networks not", () => {
  assert.deepEqual(words("ssh box1", "srun --het-group=1 --exact", "10.0.0.1"), []);
  assert.deepEqual(words("podman exec -i box", null, "192.168.1.7"), []);
  assert.deepEqual(words("env SIDE=server", "ip netns exec there /opt/levelfield/bin/bench agent"), []);
  assert.deepEqual(words("ssh ada@box1"), [["a user's name on a host", "ada"]]);
  assert.deepEqual(words("ssh -l ada box1"), [["a user's name on a host", "ada"]]);
  assert.deepEqual(words("ssh ssh://ada@box1.example.org:2222", "ssh 'box2.example.org'"), [
    ["a user's name on a host", "ada"],
    ["the name of a host", "box1.example.org"],
    ["the name of a host", "box2.example.org"],
  ]);
  assert.deepEqual(words("ssh [2001:db8::7]", "ssh 203.0.113.5", "203.0.113.5"), [
    ["an address that leads to a host", "2001:db8::7"],
    ["an address that leads to a host", "203.0.113.5"],
  ]);
  assert.deepEqual(hostWords("no JSON"), []);
  assert.deepEqual(hostWords(JSON.stringify({ hosts: { server: 7 } })), []);
  const service = { host: "ssh db.example.org", address: "203.0.113.9" };
  assert.deepEqual(hostWords(JSON.stringify({ hosts: { service } })).map(({ word }) => word), [
    "db.example.org",
    "203.0.113.9",
  ]);
});

test("what a way to a host says is found in every file of a run, but for names that all machines have", () => {
  const nobody = { home: "", user: "", host: "" };
  const files = {
    "run.json": JSON.stringify({ hosts: { server: "ssh ada@box1.example.org", load: "ssh root@box2", address: "" } }),
    "journal.ndjson": '{"stderr_tail":"/srv/ada/app: box1.example.org is full"}\n{"x":"canada"}\n',
  };
  assert.deepEqual(privateTexts(files, nobody).map(({ found, times }) => [found, times]), [
    ["ada", 2],
    ["box1.example.org", 2],
  ]);
});
