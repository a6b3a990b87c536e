// The script that k6 runs: requests of a list in sequence, and at the end k6's metrics in one line. Read by k6.ts, run by
// k6 alone.
import http from "k6/http";
import { b64decode } from "k6/encoding";
import exec from "k6/execution";
import { SharedArray } from "k6/data";

const { k6, timeout } = JSON.parse(open("./options.json"));
// One copy for all virtual users.
const list = new SharedArray("requests", () => JSON.parse(open("./requests.json")));

export const options = k6;

const count = list.length;
const one = count === 1 ? list[0] : null;

export default function () {
  const { method, url, headers, body } = one === null ? list[exec.scenario.iterationInTest % count] : one;
  http.request(method, url, body === "" ? null : typeof body === "string" ? body : b64decode(body.base64), {
    headers,
    timeout,
  });
}

export function handleSummary({ metrics, state }) {
  const values = (name) => metrics[name] === undefined ? undefined : metrics[name].values;
  const report = {
    durationMs: state.testRunDurationMs,
    requests: values("http_reqs"),
    received: values("data_received"),
    dropped: values("dropped_iterations"),
    unanswered: values("http_reqs{status:0}"),
    duration: values("http_req_duration"),
    failed: values("http_req_failed"),
  };
  return { stdout: "levelfield " + JSON.stringify(report) + "\n" };
}
