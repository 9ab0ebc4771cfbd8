import process from "node:process";
import { ownVariable } from "../inputs/input-reader.ts";
import { removeLeftSpool } from "../step/spool.ts";

// The post script of the deploy; what it must not do stands in that of the other steps.
await removeLeftSpool(process.env);
const left = ownVariable(process.env, "STATE_github-record") ?? "";
if (left !== "") {
  const { closeLeft } = await import("../github/records/close-left.ts");
  await closeLeft(process.env, left);
}
