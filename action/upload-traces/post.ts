import process from "node:process";
import { removeLeftSpool } from "../step/spool.ts";

// A script of its own, with no way into an upload, as that of the deploy action.
await removeLeftSpool(process.env);
