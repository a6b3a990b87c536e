import { loadUsers } from "../../../load-users.js";
import { Users } from "../../../users.jsx";

export const dynamic = "force-dynamic";

export default async function Data() {
  return <Users data={await loadUsers()} />;
}
