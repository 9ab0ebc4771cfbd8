import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import * as z from "zod";
import type { JudgeEvent } from "../../../../../front/steps/judge/events.ts";
import { judgeStep } from "../../../../../front/steps/judge/step.ts";
import { factsOf, logOf } from "../../../account/step-output.ts";
import { carriedOut, makeStep, summaryOf } from "../step.ts";

/** 40 cases whose scores have three digits or four, of which a sum has more in binary. */
const rows = (score: number) =>
  [
    "id,input,tone",
    ...Array.from({ length: 40 }, (_, at) => `c${String(at)},q${String(at)},${String(score + (at % 2) / 1000)}`),
  ]
    .join("\n")
    .concat("\n");

const Judged = z.looseObject({
  metrics: z.array(z.looseObject({ comparison: z.looseObject({ change: z.number() }) })),
  rules: z.array(z.looseObject({ found: z.string() })),
});

test.each([
  [0.9, 0.8295, "−7.1 pp"],
  [0.8, 0.7295, "−7.1 pp"],
  [0.7, 0.6995, "−0.1 pp"],
  [0.6, 0.5785, "−2.2 pp"],
])(
  "the change from %d to %d is %s in log, summary, comment, page and judgement",
  { tags: "slow" },
  async (before, now, text) => {
    const step = await makeStep(
      {
        results: "now.csv",
        baseline: "before.csv",
        "dataset-name": "d",
        gates: "tone drop <= 0.01pp\ntone not regressed\ntone not worse by 0.01pp",
        report: "report.html",
      },
      { files: { "before.csv": rows(before), "now.csv": rows(now) } },
    );
    const events: JudgeEvent[] = [];
    const { written } = await carriedOut(step.env, (event) => events.push(event));
    const texts = {
      log: logOf(judgeStep.reporting, events).join("\n"),
      summary: summaryOf(factsOf(judgeStep.reporting, events)),
      comment: await readFile(written.comment ?? "", "utf8"),
      // The ticks of an axis are not changes.
      page: (await readFile(written.report ?? "", "utf8")).replaceAll(/<text[^>]*>[^<]*/g, ""),
    };
    // How bad the change may be is another number.
    const changes = (said: string) => [...said.matchAll(/(?<!at worst )[−+]\d+\.\d+ pp/g)].map(([change]) => change);
    for (const [where, said] of Object.entries(texts)) {
      const found = changes(said.replaceAll("\\", ""));
      expect(found.length, where).toBeGreaterThan(1);
      expect([where, ...new Set(found)]).toEqual([where, text]);
    }
    const { metrics, rules } = Judged.parse(JSON.parse(await readFile(written.judgement ?? "", "utf8")));
    expect(metrics[0]?.comparison.change).toBeCloseTo(now - before, 12);
    for (const { found } of rules) expect(changes(found)).toEqual([text]);
  },
);
