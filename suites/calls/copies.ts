/** Ways to copy a small object, to see that functions are compared at all. */

/** An order with some lines, as apps copy them. */
interface Order {
  readonly id: number;
  readonly customer: { readonly name: string; readonly country: string };
  readonly lines: readonly { readonly article: string; readonly count: number }[];
}

export const inputs = Array.from({ length: 16 }, (_, id): Order => ({
  id,
  customer: { name: `Customer ${id}`, country: "DK" },
  lines: Array.from({ length: 4 }, (_, n) => ({ article: `A-${id * n}`, count: n + 1 })),
}));

export const expect = (order: Order) => order;

export const spread = (order: Order) => ({
  ...order,
  customer: { ...order.customer },
  lines: order.lines.map((line) => ({ ...line })),
});

export const json = (order: Order) => JSON.parse(JSON.stringify(order));

export const clone = (order: Order) => structuredClone(order);
