import { FORMAT_NAMES, type FormatName } from "../format-names.ts";
import type { ResultFormat } from "../formats/shared/format.ts";
import { azureAi } from "../formats/azure-ai.ts";
import { bedrock } from "../formats/bedrock.ts";
import { braintrust } from "../formats/braintrust/braintrust.ts";
import { csv } from "../formats/csv.ts";
import { deepeval } from "../formats/deepeval/deepeval.ts";
import { evalite } from "../formats/evalite.ts";
import { inspect } from "../formats/inspect/inspect.ts";
import { jest } from "../formats/test-runners/jest.ts";
import { jsonl } from "../formats/jsonl.ts";
import { junit } from "../formats/junit/junit.ts";
import { langfuse } from "../formats/langfuse/langfuse.ts";
import { lmEval } from "../formats/lm-eval.ts";
import { mlflow } from "../formats/mlflow.ts";
import { nativeJsonl } from "../formats/native/jsonl.ts";
import { native } from "../formats/native/native.ts";
import { openaiEvalItems } from "../formats/openai/eval-items.ts";
import { openaiEvals } from "../formats/openai/evals.ts";
import { opik } from "../formats/opik.ts";
import { phoenixEvals } from "../formats/phoenix-evals.ts";
import { phoenix } from "../formats/phoenix.ts";
import { promptfoo } from "../formats/promptfoo/promptfoo.ts";
import { pydanticEvals } from "../formats/pydantic-evals.ts";
import { pytestJson } from "../formats/test-runners/pytest-json.ts";
import { ragasCsv } from "../formats/ragas-csv.ts";
import { trulens } from "../formats/trulens.ts";
import { vitest } from "../formats/test-runners/vitest.ts";
import { weave } from "../formats/weave.ts";

const FORMAT_OF: Readonly<Record<FormatName, ResultFormat>> = {
  native,
  "native-jsonl": nativeJsonl,
  promptfoo,
  deepeval,
  inspect,
  "ragas-csv": ragasCsv,
  csv,
  jsonl,
  evalite,
  vitest,
  jest,
  junit,
  braintrust,
  "openai-evals": openaiEvals,
  "pydantic-evals": pydanticEvals,
  langfuse,
  opik,
  "lm-eval": lmEval,
  bedrock,
  "openai-eval-items": openaiEvalItems,
  "azure-ai": azureAi,
  "pytest-json": pytestJson,
  phoenix,
  "phoenix-evals": phoenixEvals,
  mlflow,
  weave,
  trulens,
};

/** Every kind of result file. */
export const FORMATS: readonly ResultFormat[] = FORMAT_NAMES.map(formatNamed);

/** The kind of result file that has this name. */
export function formatNamed(name: FormatName): ResultFormat {
  return FORMAT_OF[name];
}
