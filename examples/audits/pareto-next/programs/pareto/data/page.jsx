import { useLoaderData } from "@paretojs/core";
import { loadUsers } from "../../../load-users.js";
import { Users } from "../../../users.jsx";

export const loader = () => loadUsers();

export default function Data() {
  return <Users data={useLoaderData()} />;
}
