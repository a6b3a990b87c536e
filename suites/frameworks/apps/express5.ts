import express from "express";
import type { OpenApp } from "../../../servers/app.ts";
import { expressApp } from "../express-app.ts";

/** Express 5. */
export const open: OpenApp = (context) => expressApp(express, context);
