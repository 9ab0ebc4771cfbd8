/** The names of all result formats: a separate list, so that naming a format loads no reader. */
export const FORMAT_NAMES = [
  "native",
  "native-jsonl",
  "promptfoo",
  "deepeval",
  "inspect",
  "ragas-csv",
  "csv",
  "jsonl",
  "evalite",
  "vitest",
  "jest",
  "junit",
  "braintrust",
  "openai-evals",
  "pydantic-evals",
  "langfuse",
  "opik",
  "lm-eval",
  "bedrock",
  "openai-eval-items",
  "azure-ai",
  "pytest-json",
  "phoenix",
  "phoenix-evals",
  "mlflow",
  "weave",
  "trulens",
] as const;

/** One of them. */
export type FormatName = (typeof FORMAT_NAMES)[number];
