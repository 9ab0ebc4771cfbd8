import process from "node:process";
import { removeLeftSpool } from "./left-spool.ts";

// The post script of every step but the deploy, whose own does this too. It has no way into the work: were it main, which a saved state would distinguish, then
// a main that is cancelled before it saved anything would deploy here, after the cancel.
await removeLeftSpool(process);
