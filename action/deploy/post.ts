import process from "node:process";
import { removeLeftSpool } from "../step/spool.ts";

// A script of its own, with no way into a deploy: were it main, told apart by a state that main saves, then a main that
// is cancelled before it saved anything would deploy here, after the cancel.
await removeLeftSpool(process.env);
