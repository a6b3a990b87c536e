import { PROJECT_ROOT } from "./runtimes.ts";
import { runToEnd } from "./run-to-end.ts";

/** Variables that would name another repository than this project's. */
const OTHERS = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"];

/** Asks git about this project's own repository, whatever the caller's variables say. */
export const git = (...args: string[]) =>
  runToEnd("env", [...OTHERS.flatMap((name) => ["-u", name]), "git", ...args], PROJECT_ROOT);
