import { describe, expect, test } from "vitest";
import { outputsOf } from "../../../../action/upload-traces/report/facts.ts";
import { uploadTracesStep } from "../../../../action/upload-traces/step.ts";
import type { TraceEvent } from "../../../../src/trace-files/events.ts";
import { factsOf as factsOfStep } from "../../report/told.ts";
import { ended, GOOD, PARTIAL, read } from "./trace-events.ts";

const factsOf = (events: readonly TraceEvent[]) => factsOfStep(uploadTracesStep.reporting, events);

describe("the outputs of an upload of traces", () => {
  test("are the counts of what is stored", () => {
    expect(outputsOf(factsOf(GOOD)).values).toEqual({
      "run-count": "240",
      "trace-count": "21",
      "error-count": "3",
      "rejected-count": "0",
      "upload-status": "uploaded",
      "unsent-path": "",
      "request-path": "",
    });
    expect(outputsOf(factsOf(PARTIAL)).values).toMatchObject({
      "run-count": "238",
      "rejected-count": "2",
      "upload-status": "partial",
      "unsent-path": "/tmp/unsent/runs.jsonl",
    });
  });

  test("are empty where nothing is known, and failed where nothing says how it ended", () => {
    expect(outputsOf(factsOf([])).values).toMatchObject({
      "run-count": "",
      "rejected-count": "",
      "upload-status": "failed",
    });
  });

  test("of a dry run count what would be sent", () => {
    expect(outputsOf(factsOf([read(), ended("dry-run")])).values).toMatchObject({
      "run-count": "240",
      "trace-count": "21",
      "rejected-count": "",
      "upload-status": "dry-run",
    });
  });
});
