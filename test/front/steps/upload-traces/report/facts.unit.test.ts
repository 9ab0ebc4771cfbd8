import { describe, expect, test } from "vitest";
import { outputTexts } from "../../../../../front/account/step-report.ts";
import { outputsOf } from "../../../../../front/steps/upload-traces/report/facts.ts";
import { uploadTracesStep } from "../../../../../front/steps/upload-traces/step.ts";
import type { TraceEvent } from "../../../../../src/trace-files/events.ts";
import { factsOf } from "../../../account/step-output.ts";
import { ended, GOOD, PARTIAL, read } from "./trace-events.ts";

const outputs = (events: readonly TraceEvent[]) => outputTexts(outputsOf(factsOf(uploadTracesStep.reporting, events)));

describe("the outputs of an upload of traces", () => {
  test("are the counts of what is stored", () => {
    expect(outputs(GOOD)).toEqual({
      "run-count": "240",
      "trace-count": "21",
      "error-count": "3",
      "rejected-count": "0",
      "upload-status": "uploaded",
      "unsent-path": "",
      "request-path": "",
    });
    expect(outputs(PARTIAL)).toMatchObject({
      "run-count": "238",
      "rejected-count": "2",
      "upload-status": "partial",
      "unsent-path": "/tmp/unsent/runs.jsonl",
    });
  });

  test("are empty where nothing is known, and failed where nothing says how it ended", () => {
    expect(outputs([])).toMatchObject({
      "run-count": "",
      "rejected-count": "",
      "upload-status": "failed",
    });
  });

  test("of a dry run count what would be sent", () => {
    expect(outputs([read(), ended("dry-run")])).toMatchObject({
      "run-count": "240",
      "trace-count": "21",
      "rejected-count": "",
      "upload-status": "dry-run",
    });
  });
});
