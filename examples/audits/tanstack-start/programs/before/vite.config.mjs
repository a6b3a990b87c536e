import { tanstackStart } from "@tanstack/react-start/plugin/vite";
import react from "@vitejs/plugin-react";

const router = { generatedRouteTree: "../.generated/routeTree.gen.ts" };

export default { plugins: [tanstackStart({ router }), react()] };
