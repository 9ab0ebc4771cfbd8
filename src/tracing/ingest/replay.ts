import { open } from "node:fs/promises";
import { Run } from "../../contract/run.ts";
import { UnsentFileError } from "../client/errors.ts";
import type { RunIngest } from "./ingest.ts";

/**
 * Hands the runs of a file of unsent ones over once more, and says how many lines it has. Throws UnsentFileError for a line that is
 * no run, before which everything is handed over. The file stays: it can be removed once a `flush` has said that nothing
 * is unsent. The ingest must keep what it cannot send in another file.
 */
export async function replay(path: string, ingest: RunIngest): Promise<number> {
  let lines = 0;
  await using file = await open(path).catch((cause: unknown) => {
    throw new UnsentFileError(`The file of unsent runs ${path} cannot be read.`, { cause });
  });
  for await (const line of file.readLines()) {
    if (line === "") continue;
    lines += 1;
    const { event, ...run } = readLine(line, `${path}:${String(lines)}`);
    await (event === "patch" ? ingest.patch(run.id, run) : ingest.post(run));
  }
  return lines;
}

function readLine(line: string, place: string): Run {
  try {
    return Run.parse(JSON.parse(line));
  } catch (cause) {
    throw new UnsentFileError(`${place} is no run.`, {
      cause,
      advice: "Remove the line, and what follows it is sent.",
    });
  }
}
