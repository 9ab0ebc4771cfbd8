/**
 * Every input of the action that uploads an experiment, with its default; a test holds action.yml to this table.
 * An input that is not in it cannot be read: the reader takes these names only.
 */
export const UPLOAD_INPUTS = {
  results: "",
  format: "auto",
  mapping: "",
  "if-no-files-found": "error",
  "base-url": "",
  "api-key": "",
  "tenant-id": "",
  "experiment-name": "",
  "experiment-description": "",
  "dataset-id": "",
  "dataset-name": "",
  "dataset-description": "",
  metadata: "",
  "summary-scores": "",
  "time-policy": "strict",
  "allow-no-scores": "false",
  "on-name-conflict": "suffix",
  "expected-shards": "",
  "expected-rows": "",
  "max-rows-per-experiment": "",
  timeout: "10m",
  "dry-run": "false",
  "job-summary": "true",
  "ca-certificate": "",
  "allow-http": "false",
} as const;

/** The name of an input of the action that uploads an experiment. */
export type UploadInputName = keyof typeof UPLOAD_INPUTS;
