import { join } from "node:path";
import { MAX_SIZE } from "../dataset/user-at.ts";
import { writeUsers } from "../dataset/write-users.ts";
import { USERS_FILE } from "../files/users-file.ts";
import { loadStore } from "../registry.ts";
import { StoreError } from "../store.ts";
import { type BuiltFolder, ensureFolder } from "./built-folder.ts";

/** Changes whenever the same seed and size would give other bytes. */
const DATASET_FORMAT = 1;

/** Which data set is wanted, and where data sets are kept. */
export interface DatasetRequest {
  readonly dataDirectory: string;
  /** 32-bit unsigned. */
  readonly seed: number;
  /** Number of users. */
  readonly size: number;
  readonly verify?: "quick" | "full";
}

/** A data set that is whole on disk. */
export interface PreparedDataset extends BuiltFolder {
  readonly usersFile: string;
  readonly sha256: string;
}

/** The folder of everything made for one seed and size. */
export function datasetHome(request: Pick<DatasetRequest, "dataDirectory" | "seed" | "size">): string {
  return join(request.dataDirectory, `${request.size}-seed${request.seed}`);
}

/** A user's module in place of a store of the registry. */
export interface UserStore {
  /** Absolute path. */
  readonly file: string;
  /** Of its bytes: files it prepared are built again once it has changed. */
  readonly sha256: string;
}

/** The folder a store's prepared files are in, whether or not they are there yet. */
export async function storeHome(request: DatasetRequest, store: string, user?: UserStore): Promise<string> {
  // Two modules of different people may give their layouts one name.
  return join(datasetHome(request), user === undefined ? (await loadStore(store)).layout : `own-${store}`);
}

/** Gives the data set, built if it is not there or not sound. Throws a {@link StoreError} for an impossible size or seed. */
export async function prepareDataset(
  request: DatasetRequest,
  onProgress: (done: number) => void = () => {},
): Promise<PreparedDataset> {
  const { seed, size } = request;
  if (!Number.isSafeInteger(size) || size < 1 || size > MAX_SIZE) {
    throw new StoreError(`a data set has 1 to ${MAX_SIZE} users, not "${size}"`);
  }
  if (!Number.isSafeInteger(seed) || seed < 0 || seed >= 2 ** 32) {
    throw new StoreError(`a seed is a whole number below 2^32, not "${seed}"`);
  }
  const folder = await ensureFolder(
    join(datasetHome(request), "dataset"),
    { what: "dataset", format: DATASET_FORMAT, seed, size },
    (into) => writeUsers(join(into, USERS_FILE), seed, size, onProgress),
    request.verify,
  );
  return {
    ...folder,
    usersFile: join(folder.directory, USERS_FILE),
    sha256: folder.manifest.files.find((file) => file.name === USERS_FILE)!.sha256,
  };
}

/** Gives a store's prepared files for a data set, built if they are not there or not sound. */
export async function prepareStore(
  request: DatasetRequest,
  dataset: PreparedDataset,
  store: string,
  user?: UserStore,
): Promise<BuiltFolder> {
  const driver = await loadStore(store, user?.file);
  return await ensureFolder(
    await storeHome(request, store, user),
    { what: driver.layout, dataset: dataset.sha256, ...(user === undefined ? {} : { module: user.sha256 }) },
    (into) => driver.prepare({ usersFile: dataset.usersFile, size: request.size }, into),
    request.verify,
  );
}
