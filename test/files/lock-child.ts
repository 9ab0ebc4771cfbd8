import { takeLock } from "../../src/files/file-lock.ts";

// Takes the lock at this path whenever a line comes, says whether it has it, and holds it until it is killed.
const [, , path = ""] = process.argv;
process.stdin.on("data", () => {
  process.stdout.write(Symbol.dispose in takeLock(path) ? "taken\n" : "held\n");
});
process.stdout.write("ready\n");
