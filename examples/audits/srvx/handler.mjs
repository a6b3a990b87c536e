// The fetch handler of all others in this folder.
/** @param Reply the class of replies, which some adapters bring */
export const handlerOf = (Reply) => async (request) => {
  if (request.method === "GET") return new Reply("ready");
  const body = await request.json();
  return new Reply(JSON.stringify(body), {
    headers: { "x-test": request.headers.get("x-test") ?? "", "content-type": "application/json;charset=UTF-8" },
  });
};
