import { mixKeys } from "../../stores/dataset/mix.ts";
import { idMaker } from "../../stores/dataset/user-at.ts";
import { encodeUser, type User } from "../../stores/user.ts";
import { type At, type Draw, type RequestPlan, type RequestTemplate, serialNumber } from "../suite.ts";

/** Workloads of the app, with the number of requests in a hundred that create a user. */
const CREATES = { read: 0, write: 100, "mixed-95-5": 5, "mixed-50-50": 50, contended: 100 } as const;

/** Name of a workload. */
export type Workload = keyof typeof CREATES;

/** The workloads there are; the first is measured by default. */
export const WORKLOADS = Object.keys(CREATES) as readonly Workload[];

/** Numbers from which loads create users: above every data set, so that none of them is in one. */
export const CREATED_FROM = 2 ** 31;

/** Numbers from which the other process of `contended` creates users: those of a load no observation has. */
export const OTHERS_FROM: number = serialNumber(CREATED_FROM, 7, 8, 0);

/** The user that a load creates with a serial number: its id is that of the same number in the data set's sequence. */
export function createdUserMaker(dataSeed: number): (serial: number) => User {
  const idOf = idMaker(dataSeed);
  return (serial) => createdUser(idOf(serial), String(serial));
}

const createdUser = (id: string, serial: string): User => ({
  id,
  name: `User ${serial}`,
  email: `user.${serial}@example.com`,
  age: 36,
  country: "DK",
  createdAt: "2026-01-01T00:00:00.000Z",
});

const read: RequestTemplate = { path: "/users/{id}", expect: [200] };
const create: RequestTemplate = {
  method: "POST",
  path: "/users",
  headers: { "content-type": "application/json" },
  body: encodeUser(createdUser("{created}", "{serial}")),
  expect: [201],
};

/** Place of the creating template in the mix of a workload, or undefined where nothing is created. */
export function placeOfCreates(workload: Workload): number | undefined {
  const share = CREATES[workload];
  return share === 0 ? undefined : share === 100 ? 0 : 1;
}

/** The requests of a point. */
export function requestsOf(at: At): RequestPlan {
  const workload = at["workload"] as Workload;
  const share = CREATES[workload];
  const hex16 = mixKeys(at["dataSeed"] as number);
  const missShare = at["missShare"] as number;
  const found: Draw = { kind: "uniform", below: at["size"] as number, as: { hex16 } };
  const id: Draw = missShare > 0 ? { ...found, miss: { share: missShare, expect: [404] } } : found;
  const creating: Readonly<Record<string, Draw>> = {
    serial: { kind: "serial", from: CREATED_FROM },
    created: { kind: "same", of: "serial", as: { hex16 } },
  };
  const pace = { closed: at["connections"] as number };
  if (share === 0) return { pace, mix: [read], draws: { id } };
  if (workload === "contended") return { pace, mix: [{ ...create, expect: [201, 503] }], draws: creating };
  if (share === 100) return { pace, mix: [create], draws: creating };
  return {
    pace,
    mix: [{ ...read, weight: 100 - share }, { ...create, weight: share }],
    draws: { id, ...creating },
  };
}
