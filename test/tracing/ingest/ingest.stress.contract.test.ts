import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { aRun, ingest } from "../rig.ts";
import { RunServer, type Answer } from "../run-server.ts";

const WORDS = ["a line of text\n", 'é"ü\\', "漢字🙂", "\ud800 alone", "0123456789abcdef"];
const SIZES = [0, 10, 800, 4_095, 4_096, 9_000, 70_000, 300, 20_000, 40];
// Larger than all that may be on its way at once, and than the memory that texts share.
const HUGE = 7_000_000;

function text(index: number): string {
  const word = `${String(index)} ${WORDS[index % WORDS.length] ?? ""}`;
  const size = index === 500 || index === 731 ? HUGE : (SIZES[index % SIZES.length] ?? 0);
  return word.repeat(Math.ceil(size / word.length));
}

/** As a reader of JSON in UTF-8 sees it. */
function read(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

test.each([
  ["zstd", { zstd_compression_enabled: true }],
  ["gzip", { gzip_body_enabled: true }],
  ["nothing", {}],
])(
  "a thousand runs of all sizes arrive as they were where a service that takes %s cuts, stalls and refuses",
  { tags: "slow" },
  async (_, flags) => {
    const server = await RunServer.start();
    server.info = { batch_ingest_config: {}, instance_flags: flags };
    let batches = 0;
    server.script = async ({ path }): Promise<Answer | undefined> => {
      if (!path.endsWith("/multipart")) return undefined;
      batches += 1;
      switch (batches % 7) {
        case 1:
          return "reset";
        case 2:
          return { status: 500 };
        case 4:
          return { status: 429, headers: { "retry-after": "1" } };
        case 5:
          for (let count = 0; count < 100; count += 1) await turn();
          return undefined;
        default:
          return undefined;
      }
    };
    const sender = ingest(server.url);
    const expected = new Map<string, unknown>();
    for (let index = 0; index < 1_000; index += 1) {
      const run = aRun({ inputs: { index, text: text(index) } });
      const end = { outputs: { text: text(index + 3) }, extra: { index } };
      expected.set(run.id, read({ ...run, ...end }));
      // Some ends come while their run waits, and some while it is on its way.
      await sender.post(run);
      if (index % 3 === 0) await turn();
      await sender.patch(run.id, { outputs: { text: "of the start" } });
      if (index % 100 === 50) void sender.flush();
      await sender.patch(run.id, end);
    }
    expect(await sender.close()).toEqual({ accepted: 1_000, stored: 1_000, dropped: 0, rejected: 0, unsent: 0 });
    const differing = [...expected].filter(
      ([id, run]) => JSON.stringify(sorted(server.runs.get(id))) !== JSON.stringify(sorted(run)),
    );
    expect(differing.map(([id]) => id)).toEqual([]);
    expect(server.runs.size).toBe(1_000);
    expect(server.early).toEqual([]);
  },
);

test(
  "large runs that wait behind those on their way are all unsent once a signal ends the retries",
  { tags: "slow" },
  async () => {
    const server = await RunServer.start();
    server.info = { batch_ingest_config: {}, instance_flags: { zstd_compression_enabled: true } };
    const never = Promise.withResolvers<Answer>();
    server.script = ({ path }) => (path.endsWith("/multipart") ? never.promise : undefined);
    const abort = new AbortController();
    const sender = ingest(server.url, { signal: abort.signal, mostSize: 1024 * 1024 * 1024 });
    for (let index = 0; index < 20; index += 1) void sender.post(aRun({ inputs: { text: "x".repeat(3_000_000) } }));
    const closed = sender.close();
    await expect.poll(() => server.batches.length).toBeGreaterThan(1);
    abort.abort();
    expect(await closed).toEqual({ accepted: 20, stored: 0, dropped: 0, rejected: 0, unsent: 20 });
  },
);

function sorted(run: unknown): unknown {
  return Object.entries(run ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1));
}
