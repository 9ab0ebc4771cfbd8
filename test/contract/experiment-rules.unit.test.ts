import { describe, expect, test } from "vitest";
import { checkFeedback, checkHead, checkRow, windowOf } from "../../src/contract/experiment-rules.ts";
import { describeValidationError } from "../../src/contract/validation-error.ts";

const HEAD = {
  experiment_name: "nightly",
  experiment_start_time: "2026-03-04T05:00:00Z",
  experiment_end_time: "2026-03-04T06:00:00Z",
  dataset_name: "questions",
};
const ROW = {
  row_id: "0F8FAD5B-D9CB-469F-A165-70867728950E",
  inputs: {},
  start_time: "2026-03-04T05:00:00Z",
  end_time: "2026-03-04T06:00:00Z",
};
const WINDOW = windowOf(HEAD);

const said = ({ faults }: ReturnType<typeof checkHead | typeof checkRow | typeof checkFeedback>) =>
  faults.map(describeValidationError);

describe("the request beside its rows", () => {
  test("is right with a name or an id of a dataset", () => {
    expect(checkHead(HEAD)).toEqual({ value: HEAD, faults: [] });
    const { dataset_name: _, ...rest } = HEAD;
    expect(checkHead({ ...rest, dataset_id: ROW.row_id }).faults).toEqual([]);
  });

  test.each([
    [{ dataset_name: undefined }, "dataset_name: either dataset_id or dataset_name must be given"],
    [{ dataset_name: "" }, "dataset_name: either dataset_id or dataset_name must be given"],
    [{ dataset_id: "questions" }, "dataset_id: Input should be a valid UUID"],
    [{ experiment_name: undefined }, "experiment_name: Field required"],
    [{ experiment_name: 7 }, "experiment_name: Input should be a valid string"],
    [{ experiment_start_time: "today" }, "experiment_start_time: Input should be a valid datetime"],
    [{ experiment_start_time: 1_772_600_767 }, "experiment_start_time: Input should be a valid string"],
    [{ experiment_end_time: "2026-03-04T04:59:59.999999Z" }, "experiment_end_time: is before experiment_start_time"],
    [{ experiment_metadata: [] }, "experiment_metadata: Input should be a valid dictionary"],
    [{ summary_experiment_scores: {} }, "summary_experiment_scores: Input should be a valid list"],
    [{ summary_experiment_scores: [{}] }, "summary_experiment_scores.0.key: Field required"],
  ])("is refused with %j: %s", (change, sentence) => {
    expect(said(checkHead({ ...HEAD, ...change }))).toEqual([sentence]);
  });

  test.each([undefined, null, [], "text", 7])("is no object when it is %j", (head) => {
    expect(checkHead(head).faults).toHaveLength(1);
  });
});

describe("a row", () => {
  test("may begin and end with the experiment, whatever zone its times are in", () => {
    const times = { start_time: "2026-03-04T07:00:00.000000+02:00", end_time: "2026-03-03T22:00:00.0000009-08:00" };
    expect(checkRow({ ...ROW, ...times }, WINDOW).faults).toEqual([]);
  });

  test.each([
    ["start_time", "2026-03-04T04:59:59.999999Z"],
    ["start_time", "2026-03-04T06:00:00.000001Z"],
    ["end_time", "2026-03-04T06:00:00.000001Z"],
    ["end_time", "2026-03-04T04:59:59.999999Z"],
  ])("is refused when its %s is a microsecond off: %s", (field, time) => {
    expect(said(checkRow({ ...ROW, [field]: time }, WINDOW))).toContain(
      `${field}: must fall between experiment_start_time (2026-03-04T05:00:00Z) and experiment_end_time (2026-03-04T06:00:00Z)`,
    );
    expect(checkRow({ ...ROW, [field]: time }).faults).toEqual([]);
  });

  test("is refused when it ends a microsecond before it starts", () => {
    const times = { start_time: "2026-03-04T05:10:00.000001Z", end_time: "2026-03-04T05:10:00Z" };
    expect(said(checkRow({ ...ROW, ...times }, WINDOW))).toEqual(["end_time: is before start_time"]);
    expect(said(checkRow({ ...ROW, ...times, end_time: times.start_time }, WINDOW))).toEqual([]);
  });

  test.each([
    [{ row_id: undefined }, "row_id: Field required"],
    [{ row_id: "case-1" }, "row_id: Input should be a valid UUID"],
    [{ inputs: undefined }, "inputs: Field required"],
    [{ inputs: "question" }, "inputs: Input should be a valid dictionary"],
    [{ inputs: [] }, "inputs: Input should be a valid dictionary"],
    [{ expected_outputs: null }, "expected_outputs: Input should be a valid dictionary"],
    [{ start_time: undefined }, "start_time: Field required"],
    [{ end_time: "2026-03-04" }, "end_time: Input should be a valid datetime"],
    [{ error: { message: "x" } }, "error: Input should be a valid string"],
    [
      { evaluation_scores: [{ key: "a" }, { key: "b", score: "1" }] },
      "evaluation_scores.1.score: Input should be a valid number",
    ],
  ])("is refused with %j: %s", (change, sentence) => {
    expect(said(checkRow({ ...ROW, ...change }, WINDOW))).toEqual([sentence]);
  });
});

describe("feedback", () => {
  test.each([
    { key: "a" },
    { key: "a", feedback_config: { type: "categorical", categories: [{ value: 1, label: "" }] } },
    { key: "k".repeat(181), score: 0, value: "", comment: "" },
    { key: "a", feedback_config: { type: "freeform" }, correction: "text" },
    { key: "a", feedback_config: { type: "continuous", min: 0, max: 1 }, correction: { better: [1] } },
    { key: "a", feedback_config: { type: "categorical", categories: [{ value: 1, label: "yes" }, { value: 0 }] } },
    { key: "a", feedback_source: { type: "model" }, created_at: "2026-03-04T05:00:00" },
  ])("is right: %j", (feedback) => {
    expect(checkFeedback(feedback)).toEqual({ value: feedback, faults: [] });
  });

  test.each([
    [{}, "key: Field required"],
    [{ key: "a", score: true }, "score: Input should be a valid number"],
    [{ key: "a", score: null }, "score: Input should be a valid number"],
    [{ key: "a", score: Number.NaN }, "score: Input should be a valid number"],
    [{ key: "a", value: 1 }, "value: Input should be a valid string"],
    [{ key: "a", feedback_source: {} }, "feedback_source.type: Field required"],
    [{ key: "a", feedback_config: {} }, "feedback_config.type: Field required"],
    [
      { key: "a", feedback_config: { type: "ordinal" } },
      "feedback_config.type: Input should be 'continuous', 'categorical' or 'freeform'",
    ],
    [
      { key: "a", feedback_config: { type: "categorical", categories: [{ label: "yes" }] } },
      "feedback_config.categories.0.value: Field required",
    ],
    [{ key: "a", correction: 7 }, "correction: Input should be a valid dictionary or a valid string"],
    [{ key: "a", modified_at: "soon" }, "modified_at: Input should be a valid datetime"],
  ])("is refused: %j: %s", (feedback, sentence) => {
    expect(said(checkFeedback(feedback))).toEqual([sentence]);
  });

  test("that is refused is not quoted", () => {
    const faults = JSON.stringify(checkFeedback({ key: "a", score: "hunter2", value: ["hunter2"] }).faults);
    expect(faults).toContain("score");
    expect(faults).not.toContain("hunter2");
  });
});
