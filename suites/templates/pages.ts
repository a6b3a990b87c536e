/** The content of the pages: the same for every engine, and ready before the first request. */

/** A row of a list or table. Texts hold signs that HTML must escape. */
export interface Row {
  readonly id: number;
  readonly name: string;
  readonly price: string;
  readonly sold: boolean;
}

/** A page of variables only. */
interface SimplePage {
  readonly title: string;
  readonly visitor: string;
  readonly note: string;
}

/** A page with a list, or a table inside the layout of the site. */
export interface RowsPage {
  readonly title: string;
  readonly site: string;
  readonly rows: readonly Row[];
}

/** The three pages of an engine, each as a whole document. */
export interface Views {
  /** Variables only. */
  simple(page: SimplePage): string;
  /** A list of rows with a condition in each. */
  loop(page: RowsPage): string;
  /** An inherited layout, an included part, and a table of rows with a condition and an upper-case filter. */
  full(page: RowsPage): string;
}

/** Rows of a list or table, as many as the seed has. */
const COUNT = 50;
const NAMES = ["Tom & Jerry", "O'Hara", "<script>", "Fish & Chips", "a < b > c", "plain", "Rock 'n' Roll"] as const;

/**
 * The rows. There is no double quote in them: LiquidJS writes it as `&#34;` and the others as `&quot;`; all else comes
 * out as the same bytes.
 */
export const ROWS: readonly Row[] = Array.from({ length: COUNT }, (_, n) => ({
  id: n + 1,
  name: `${NAMES[n % NAMES.length]} ${n + 1}`,
  price: `${(n * 37) % 100}.${String((n * 53) % 100).padStart(2, "0")}`,
  sold: n % 3 === 1,
}));

const SITE = "Levelfield's <shop> & more";
const VISITOR = "Ann O'Neill <ann@example.org>";
const NOTE = "Bread & butter: 2 < 3, and that's that.";

const titleOf = (n: string) => `Page ${n}`;

/**
 * Returns the content of `simple` and the JSON baseline for a request's `n`, which changes the title: no reply can be
 * cached.
 */
export const simplePage = (n: string): SimplePage => ({ title: titleOf(n), visitor: VISITOR, note: NOTE });

/** Returns the content of `loop` and `full` for a request's `n`. */
export const rowsPage = (n: string): RowsPage => ({ title: titleOf(n), site: SITE, rows: ROWS });
