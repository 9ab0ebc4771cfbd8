import type { ExperimentRequest } from "../../src/experiments/request.ts";

/** A request that asks for nothing special. */
export const REQUEST: Omit<ExperimentRequest, "results"> = {
  name: undefined,
  defaultName: "nightly",
  description: undefined,
  datasetId: undefined,
  datasetName: "qa-set",
  datasetDescription: undefined,
  facts: {},
  metadata: {},
  summaryScores: [],
  timePolicy: "strict",
  allowNoScores: false,
  onNameConflict: "suffix",
  onUnclear: "fail",
  run: { id: "77", isRepeated: false },
  maxRows: undefined,
  timeoutMilliseconds: 20_000,
};
