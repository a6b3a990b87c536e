import assert from "node:assert/strict";
import { test } from "node:test";
import { mark } from "../record/mark.ts";
import { disturbedText } from "./disturbed-text.ts";

const counters = (share: number) => ({
  ...{ server_foreign_share: share, generator_foreign_share: 0, steal_share: 0, frequency_change: 0 },
  ...{ clock_step_ms: 0, share_window_ns: 1e9, moment_ns: 0 },
});
const voided = [0.4, 0.05001, 0.49].map((share) => ({
  counters: counters(share),
  marks: [mark("contended", "the first one's figure")],
}));

test("who has the machine is named with process and share, and what they took is a range", () => {
  const busy = [
    { pid: 4121, name: "cc1plus", share: 0.972 },
    { pid: 5, name: "node", share: 0.2 },
    { pid: 6, name: "sh", share: 0.1 },
  ];
  assert.equal(
    disturbedText(voided, busy),
    "in 3 observations in a row others had the machine: others used 5.0 % to 49.0 % of the servers' cores; " +
      "the busiest: cc1plus (process 4121, 97 % of a CPU) and node (process 5, 20 % of a CPU)",
  );
});

test("where nobody is seen to do so much, that is said", () => {
  const reported = disturbedText(voided, [{ pid: 4121, name: "cron", share: 0.01 }]);
  assert.match(reported, /; who they are cannot be seen from here$/);
});
