import type { ResultFormat } from "./format.ts";
import { braintrust } from "./formats/braintrust.ts";
import { csv } from "./formats/csv.ts";
import { deepeval } from "./formats/deepeval.ts";
import { evalite } from "./formats/evalite.ts";
import { inspect } from "./formats/inspect.ts";
import { jest } from "./formats/jest.ts";
import { jsonl } from "./formats/jsonl.ts";
import { junit } from "./formats/junit.ts";
import { langfuse } from "./formats/langfuse.ts";
import { nativeJsonl } from "./formats/native-jsonl.ts";
import { native } from "./formats/native.ts";
import { openaiEvals } from "./formats/openai-evals.ts";
import { promptfoo } from "./formats/promptfoo.ts";
import { pydanticEvals } from "./formats/pydantic-evals.ts";
import { ragasCsv } from "./formats/ragas-csv.ts";
import { vitest } from "./formats/vitest.ts";

/** Every kind of result file, as the input `format` names it. */
export const FORMATS: readonly ResultFormat[] = [
  native,
  nativeJsonl,
  promptfoo,
  deepeval,
  inspect,
  ragasCsv,
  csv,
  jsonl,
  evalite,
  vitest,
  jest,
  junit,
  braintrust,
  openaiEvals,
  pydanticEvals,
  langfuse,
];
