import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { startLocalService } from "../../src/local/index.ts";
import { read, ready, uploads } from "./rig.ts";

const FIXTURES = join(import.meta.dirname, "../fixtures/results");
const Expected = z.looseObject({
  refused: z.string().optional(),
  mapping: z.unknown().optional(),
  rows: z.array(z.unknown()).optional(),
  means: z.record(z.string(), z.object({ n: z.number(), mean: z.number() })).optional(),
});

/** Every file of a format that can be read without a mapping, with what is in it. */
function filesOf(format: string) {
  const text = readFileSync(join(FIXTURES, format, "expected.json"), "utf8");
  const files = z.record(z.string(), Expected).parse(JSON.parse(text));
  return Object.entries(files).flatMap(([name, { refused, mapping, rows, means }]) =>
    refused !== undefined || mapping !== undefined ? [] : [{ name, rows: rows?.length ?? 0, means: means ?? {} }],
  );
}

const formats = readdirSync(FIXTURES, { withFileTypes: true }).filter((entry) => entry.isDirectory());

test.each(formats.map(({ name }) => name))(
  "the results that a tool wrote are uploaded with all their rows and means %s",
  { tags: "slow" },
  async (format) => {
    const service = await startLocalService({ experimentDelayMilliseconds: 0 });
    onTestFinished(() => service.close());
    for (const { name, rows, means } of filesOf(format)) {
      const evaluation = await read(name.split(" + ").map((file) => join(FIXTURES, format, file)));
      const experiment = ready(name, evaluation);
      expect(experiment.rows, name).toBe(rows);
      const summaries = Object.fromEntries(evaluation.rows.tally.summaries);
      for (const [key, { n, mean }] of Object.entries(means)) {
        expect(summaries[key]?.n, `${name}: ${key}`).toBe(n);
        expect(summaries[key]?.mean, `${name}: ${key}`).toBeCloseTo(mean, 9);
      }
      const outcome = await uploads(service.url).upload(experiment, { timeoutMilliseconds: 30_000 });
      expect(outcome, name).toMatchObject({ id: expect.any(String), wasSent: true, dataset: { name: "qa-set" } });
    }
  },
);
