import process from "node:process";
import { removeSpool, SPOOL_STATE } from "./spool.ts";

// A script of its own, with no way into a deploy: were it main, told apart by a state that main saves, then a main that
// is cancelled before it saved anything would deploy here, after the cancel.
const spool = process.env[`STATE_${SPOOL_STATE}`] ?? "";
if (spool !== "") await removeSpool(spool);
