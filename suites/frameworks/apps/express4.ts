import express from "express4";
import type { OpenApp } from "../../../servers/app.ts";
import { expressApp } from "../express-app.ts";

/** Express 4. */
export const open: OpenApp = (context) => expressApp(express, context);
