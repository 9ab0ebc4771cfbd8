import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { UnsentFileError } from "../../../src/tracing/client/errors.ts";
import type { RunIngest } from "../../../src/tracing/ingest/ingest.ts";
import { replay } from "../../../src/tracing/ingest/replay.ts";

const [A, B] = ["0193a1b2-c3d4-7e5f-8a6b-0c1d2e3f4a5b", "1193a1b2-c3d4-7e5f-8a6b-0c1d2e3f4a5b"];

/** What a file with these lines hands over, and how the replay ends. */
async function replayed(...lines: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "replay-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const file = join(folder, "unsent.jsonl");
  writeFileSync(file, lines.join("\n"));
  const handed: unknown[] = [];
  const ingest: Pick<RunIngest, "patch" | "post"> = {
    post: (run) => Promise.resolve(void handed.push(["post", run])),
    patch: (id, fields) => Promise.resolve(void handed.push(["patch", id, fields])),
  };
  const end: unknown = await replay(file, ingest as RunIngest).catch((error: unknown) => error);
  return { handed, end, file };
}

test("a run is posted and an addition patched, without the mark that distinguished them", async () => {
  const { handed, end } = await replayed(
    JSON.stringify({ id: A, name: "a" }),
    "",
    JSON.stringify({ event: "patch", id: B, error: "e" }),
    "",
  );
  expect(end).toBe(2);
  expect(handed).toEqual([
    ["post", { id: A, name: "a" }],
    ["patch", B, { id: B, error: "e" }],
  ]);
});

test.each(["no run", '{"name":"a"}', "[]"])(
  "the line %j is named, and those before it were handed over",
  async (line) => {
    const { handed, end, file } = await replayed(JSON.stringify({ id: A }), line, JSON.stringify({ id: B }));
    expect(end).toBeInstanceOf(UnsentFileError);
    expect(String(end)).toContain(`${file}:2 `);
    expect(handed).toHaveLength(1);
  },
);

test("a file that is not there is named", async () => {
  await expect(replay("/no/such/file", { post: () => 1, patch: () => 1 } as unknown as RunIngest)).rejects.toThrow(
    "/no/such/file",
  );
});
