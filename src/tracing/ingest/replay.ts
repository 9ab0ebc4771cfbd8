import { open } from "node:fs/promises";
import { checkCall, objectWith, somePath } from "../../contract/call-arguments.ts";
import { Run } from "../../contract/run.ts";
import { UnsentFileError } from "../client/errors.ts";
import type { RunIngest } from "./ingest.ts";

/**
 * Hands the runs of a file of unsent runs to an ingest again, and returns the number of lines. Throws UnsentFileError
 * at the first invalid line; the runs of all lines before it have been handed over. The file stays: remove it once a
 * `flush` reports nothing unsent. The ingest needs another file for the runs that it cannot send.
 * @idempotence Safe to call again: runs that are stored already stay as they are.
 * @contract Section 4.3.
 */
export async function replay(path: string, ingest: RunIngest): Promise<number> {
  checkCall("replay", {
    path: [somePath, path],
    ingest: [objectWith<RunIngest>(["post", "patch"], "a RunIngest"), ingest],
  });
  let lines = 0;
  await using file = await open(path).catch((cause: unknown) => {
    throw new UnsentFileError(`Could not read the file of unsent runs ${path}.`, {
      cause,
      advice: "Check that it exists and may be read.",
    });
  });
  for await (const line of file.readLines()) {
    if (line === "") continue;
    lines += 1;
    let read: Run;
    try {
      read = Run.parse(JSON.parse(line));
    } catch (cause) {
      throw new UnsentFileError(`${path}:${String(lines)} is not a valid run.`, {
        cause,
        advice: "Remove the line to send the runs that follow it.",
      });
    }
    const { event, ...run } = read;
    await (event === "patch" ? ingest.patch(run.id, run) : ingest.post(run));
  }
  return lines;
}
