// What both sides have in common: names of procedures, a schema that takes everything, and what a procedure gives.
export const anything = { "~standard": { vendor: "custom", version: 1, validate: (value) => ({ value }) } };

/** A procedure's reply, of which the date needs a transformer. */
export const replyOf = (name, now = () => new Date()) => ({ input }) => ({ name, date: now(), input });

/** A clock that stands still: a WebSocket's replies are compared as they are. */
export const noon = () => new Date(1_800_000_000_000);

/**
 * A router of six procedures in three routers.
 *
 * @param first makes the first procedure of a router from its name
 * @param second makes the second one
 * @param routerOf makes a router from an object
 */
export const sixProcedures = (first, second, routerOf = (routes) => routes) =>
  routerOf({
    procedure_1: first("procedure_1"),
    procedure_2: second("procedure_2"),
    nested: routerOf({
      procedure_1: first("nested/procedure_1"),
      procedure_2: second("nested/procedure_2"),
      nested: routerOf({
        procedure_1: first("nested/nested/procedure_1"),
        procedure_2: second("nested/nested/procedure_2"),
      }),
    }),
  });
