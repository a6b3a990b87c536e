/** The process that writes what the program is made for: each server lays the program itself out in its copy of the folder. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureFolder } from "../../stores/prepared/built-folder.ts";
import { runBuilder } from "../run-builder.ts";
import { prepareDataset, prepareStore } from "../../stores/prepared/prepare.ts";
import { replyOf, USERS } from "./program.ts";
import type { StoreChoice } from "./suite.ts";

const FORMAT = 1;

await runBuilder(
  async ({ modules, store }: { readonly modules: number; readonly store: StoreChoice }, { data, verify }) => {
    const title = `${modules} modules${store === "none" ? "" : ` and ${store}`}`;
    if (store !== "none") {
      const users = { ...USERS, dataDirectory: data, verify };
      return { title, folder: await prepareStore(users, await prepareDataset(users), store) };
    }
    const folder = await ensureFolder(
      join(data, "starts", String(modules)),
      { what: "starts", format: FORMAT, modules },
      (into) => writeFileSync(join(into, "reply"), replyOf(modules)),
      verify,
    );
    return { title, folder };
  },
);
