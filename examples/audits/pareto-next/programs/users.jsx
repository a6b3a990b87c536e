/** The page's body: a heading and twenty users. */
export function Users({ data }) {
  return (
    <div>
      <h1>Data Loading Benchmark</h1>
      <p>
        Total: {data.meta.total} | Page: {data.meta.page}
      </p>
      <ul>
        {data.users.map((user) => (
          <li key={user.id}>
            <strong>{user.name}</strong> — {user.email}
          </li>
        ))}
      </ul>
    </div>
  );
}
