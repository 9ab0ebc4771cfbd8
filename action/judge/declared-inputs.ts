/** Every input of the step with its default, as its action.yml declares them. The reader accepts no other name. */
export const JUDGE_INPUTS = {
  results: "",
  format: "auto",
  mapping: "",
  "dataset-name": "",
  baseline: "",
  anchor: "",
  gates: "",
  directions: "",
  cluster: "",
  report: "",
  show: "false",
  snapshot: "",
  comment: "",
  judgement: "",
  "on-missing-baseline": "bootstrap",
  "on-evaluator-change": "fail",
  "baseline-max-age": "",
  "baseline-keep": "5",
  "job-summary": "true",
} as const;

export type JudgeInputName = keyof typeof JUDGE_INPUTS;
