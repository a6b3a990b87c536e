import type { Options } from "minisearch";

/** The fields of the search index: the same where it is made and where it is read. */
export const SEARCH_OPTIONS: Options = {
  fields: ["title", "heading", "text"],
  storeFields: ["title", "heading", "at"],
  searchOptions: { boost: { title: 3, heading: 2 }, prefix: true, fuzzy: 0.15, combineWith: "AND" },
};
