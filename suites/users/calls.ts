/** The function that `bench run users --generator in-process` calls: a store's `find`, for ids of users it has. */
import type { Calls } from "../../servers/calls/open-calls.ts";
import type { AppContext } from "../../servers/app.ts";
import { userMaker } from "../../stores/dataset/user-at.ts";
import { seeded } from "../seeded.ts";
import type { UsersOptions } from "./app.ts";
import { openUsersStore } from "./app.ts";

/** Further options that suite.ts hands over. */
interface FindOptions extends UsersOptions {
  readonly size: number;
}

/** Users that are requested: more than a processor's caches keep. */
const KEYS_DRAWN = 65_536;

export async function open(context: AppContext): Promise<Calls> {
  const { size, dataSeed } = context.options as unknown as FindOptions;
  const store = await openUsersStore(context);
  const userAt = userMaker(dataSeed), random = seeded(dataSeed);
  const users = Array.from({ length: Math.min(KEYS_DRAWN, size) }, () => userAt(Math.floor(random() * size)));
  const byId = new Map(users.map((user) => [user.id, user]));
  return {
    inputs: users.map(({ id }) => id),
    calls: { find: (id) => store.find(id as string) },
    expect: (id) => byId.get(id as string),
    close: () => store.close(),
  };
}
