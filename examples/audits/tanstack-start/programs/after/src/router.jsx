import { createRouter } from "@tanstack/react-router";
import { routeTree } from "../.generated/routeTree.gen.ts";

export const getRouter = () => createRouter({ routeTree });
