/** An app with some work to share: measured as one worker and as two, by each way its runtime has. */
const words = Array.from({ length: 400 }, (_, n) => `word${(n * 7919) % 400}`);

export default {
  fetch(request: Request): Response {
    const { pathname } = new URL(request.url);
    if (pathname !== "/words") return new Response("not here", { status: 404 });
    return Response.json({ first: words.toSorted()[0], count: words.length });
  },
};
