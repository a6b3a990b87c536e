const USERS = Array.from({ length: 20 }, (_, n) => ({
  id: n + 1,
  name: `User ${n + 1}`,
  email: `user${n + 1}@example.com`,
}));

/** Twenty users, ten milliseconds later: a query of a database as the published benchmark has it. */
export async function loadUsers() {
  await new Promise((done) => setTimeout(done, 10));
  return {
    users: USERS.map((user) => ({ ...user })),
    meta: { total: 20, page: 1, timestamp: new Date().toISOString() },
  };
}
