import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { uploadExperimentStep } from "../../../../../front/steps/upload-experiment/step.ts";
import { summaryOf, type PageOptions } from "../../../../../front/account/account.ts";
import type { ExperimentEvent } from "../../../../../src/experiments/events.ts";
import { expectHarmlessMarkdown } from "../../../account/harmless.ts";
import { SECRET } from "../../../account/hostile-text.ts";
import { factsOf } from "../../../account/step-output.ts";
import { hostileRuns } from "../../../account/hostile-runs.ts";
import * as uploads from "./upload-events.ts";
import {
  COLUMNS,
  ended,
  file,
  GOOD,
  PARTS,
  planned,
  read,
  RUN,
  sent,
  SPLIT,
  SPLIT_BY_VALUE,
  WHOLE,
} from "./upload-events.ts";

function summary(events: readonly ExperimentEvent[], options: PageOptions = {}): string {
  return summaryOf(uploadExperimentStep.reporting, factsOf(uploadExperimentStep.reporting, events), options);
}

describe("the job summary", () => {
  it("says once how files were read that were read alike", () => {
    const columns = { ...COLUMNS, by: "mapping" } as const;
    const files = ["a.csv", "b.csv", "c.csv"].map((name) => file({ name, columns }));
    expect(summary([read({ files }), planned(WHOLE), sent(), ended("uploaded")])).toContain(
      "\n- `a.csv` and 2 more files: by mapping: inputs from `question`; ",
    );
  });

  it("of a split upload has each part with its page", () => {
    const parts = SPLIT.map((event) =>
      event.type === "sent" ? { ...event, experiment: { ...event.experiment, page: "https://s.example/p" } } : event,
    );
    const text = summary(parts);
    expect(text).toMatch(/^### ✅ 3 experiments are uploaded\n\n12\.0 MB in 6 s\n/);
    expect(text).toContain(`\
| Experiment | Id | Rows | Size | Page |
|---|---|---|---|---|
| nightly-1 | \`id-1\` | 1,000 | 5.0 MB | <https://s.example/p> |
| nightly-2 | \`id-2\` | 1,000 | 5.0 MB | <https://s.example/p> |
| nightly-3 | \`id-3\` | 400 | 2.0 MB | <https://s.example/p> |
`);
  });

  it("of rows that are split has the scores of each value, as text", () => {
    const text = summary(SPLIT_BY_VALUE);
    expect(text).toMatch(
      /\| Rows with \| Score \| Mean \| Rows \| Missing \|\n.*\n\| gpt \| exact \| 0 \| 10 \| 0 \|\n/,
    );
    expect(text.match(/\| exact \| 0\.25 \| 10 \| 0 \|/g)).toHaveLength(1);
    expectHarmlessMarkdown(text);
  });

  it("says how many rows tell how long they took", () => {
    expect(summary([read({ latency: { n: 12, p50: 90, p95: 200 } })])).toContain(
      "latency p50 90 ms, p95 0.2 s (12 of them)",
    );
  });
});

describe("a long list in the summary", () => {
  it("of scores shows twenty, and the rest when it is asked for", () => {
    const scores = new Map(Array.from({ length: 500 }, (_, index) => [`k${String(index)}`, { n: 1, mean: 0.5 }]));
    const text = summary([read({ scores })]);
    expect(text.indexOf("| k19 |")).toBeLessThan(text.indexOf("<details><summary>480 more scores</summary>"));
    expect(text.indexOf("| k20 |")).toBeGreaterThan(text.indexOf("<details>"));
    expect(text).toContain("| k499 |");
  });

  it("of files is cut with its count", () => {
    const files = Array.from({ length: 1_200 }, (_, index) => file({ name: `shard-${String(index)}.json` }));
    const text = summary([read({ files })]);
    expect(text).toContain("<details><summary>1,180 more files</summary>");
    expect(text).toContain("\n\nand 180 more\n\n</details>");
    expect(text).not.toContain("shard-1199.json");
  });

  it("is left out as a whole where it does not fit, and the summary says so", () => {
    const files = Array.from({ length: 1_000 }, (_, index) => file({ name: `${"<".repeat(290)}${String(index)}` }));
    const text = summary([...GOOD.slice(0, -1), read({ files }), ended("uploaded")]);
    expect(Buffer.byteLength(text)).toBeLessThan(900_000);
    expect(text).toContain("| accuracy | 0.867 | 240 | 0 |");
    expect(text).toMatch(/\n\n_This summary was cut: the rest is in the log\._\n$/);
  });

  it("of parts is counted as one", () => {
    const parts = Array.from({ length: 30 }, (_, index) => sent({ ...PARTS[0], name: `p${String(index)}` }));
    expect(summary([planned(WHOLE, ...PARTS), ...parts])).toContain("10 more experiments");
  });
});

it("hostile files and a hostile service get no tag, no link, no mention, no column and no secret into the summary", () => {
  const runs = Object.values(uploads).filter((value): value is readonly ExperimentEvent[] => Array.isArray(value));
  fc.assert(
    fc.property(hostileRuns(...runs), (events) => {
      const text = summary(events, { redact: (raw) => raw.replaceAll(SECRET, "***"), runUrl: RUN });
      expectHarmlessMarkdown(text);
    }),
  );
});
