import process from "node:process";
import { removeLeftSpool } from "../left-spool.ts";

// The post script of the deploy; the post script of the other steps says what it must not do.
await removeLeftSpool(process);
const left = process.env["STATE_github-record"] ?? "";
if (left !== "") {
  const { closeLeft } = await import("../github/records/close-left.ts");
  await closeLeft(process.env, left);
}
