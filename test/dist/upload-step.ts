import { testWith } from "../test-with.ts";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import * as z from "zod";
import { startLocalService, type LocalService, type LocalServiceOptions } from "../../src/local/index.ts";
import type { ActionOptions, ActionResult } from "../runner/runner.ts";
import { isSentence } from "../wire/texts-of.ts";
import { jobFolders, type JobFolders } from "./job-folders.ts";
import { API_KEY } from "./step.ts";

/** The action.yml of the step that uploads. */
export const UPLOAD_YML = join(import.meta.dirname, "../../action/upload-experiment/action.yml");
/** The folder of all bundles. */
export const UPLOAD_DIST = join(import.meta.dirname, "../../action/dist");
/** Where uploads are posted. */
export const UPLOAD_PATH = "/api/v1/datasets/upload-experiment";

const Stored = z.looseObject({
  id: z.string(),
  name: z.string(),
  run_count: z.number().nullable(),
  extra: z.looseObject({ metadata: z.looseObject({}) }).nullable(),
  feedback_stats: z.record(z.string(), z.looseObject({ n: z.number(), avg: z.number().nullable() })).nullable(),
});
const Resources = <Item extends z.ZodType>(item: Item) => z.object({ resources: z.array(item) });
const Named = z.looseObject({ id: z.string(), name: z.string() });
const Row = z.looseObject({ row_id: z.string(), inputs: z.looseObject({}) });

/** An experiment as the service answers it. */
export type StoredExperiment = z.infer<typeof Stored>;
/** A row as it was sent. */
export type StoredRow = z.infer<typeof Row>;

/** A step that uploads, ready to run, and the service that it uploads to. */
export interface UploadStep extends JobFolders {
  readonly service: LocalService;
  options(inputs?: Readonly<Record<string, string>>, more?: Partial<ActionOptions>): ActionOptions;
  /** How many uploads were posted. */
  posts(): number;
  /** The experiments that the service has, of every dataset. */
  stored(): Promise<readonly StoredExperiment[]>;
  rows(experimentId: string): Promise<readonly StoredRow[]>;
}

/** A workspace with `results.jsonl`, a local service, and the built action between them, as a process. */
export async function uploadStep(options: LocalServiceOptions = {}): Promise<UploadStep> {
  const service = await startLocalService({ apiKey: API_KEY, experimentDelayMilliseconds: 0, ...options });
  const folders = await jobFolders();
  onTestFinished(() => service.close());
  await folders.write({ "results.jsonl": rowLines(1, 2, 3) });
  const get = async <Value>(path: string, schema: z.ZodType<Value>) => {
    const answer = await fetch(service.url + path, { headers: { "x-api-key": API_KEY } });
    return schema.parse(await answer.json());
  };
  return {
    ...folders,
    service,
    options: (inputs = {}, more = {}) => ({
      actionYml: UPLOAD_YML,
      workspace: folders.workspace,
      temp: folders.temp,
      secrets: [API_KEY],
      inputs: {
        results: "*.jsonl",
        "base-url": service.url,
        "api-key": API_KEY,
        "experiment-name": "nightly",
        "dataset-name": "capitals",
        ...inputs,
      },
      ...more,
    }),
    posts: () => service.requests.filter(({ method }) => method === "POST").length,
    stored: async () => {
      const datasets = await get("/datasets", z.array(Named));
      const lists = datasets.map(({ id }) => get(`/datasets/${id}/experiments?limit=100`, Resources(Stored)));
      return (await Promise.all(lists)).flatMap(({ resources }) => resources);
    },
    rows: async (id) => (await get(`/experiments/${id}/rows?limit=1000`, Resources(Row))).resources,
  };
}

export const withUploadStep = testWith(uploadStep);

/** Rows of service.md §2.6 by their numbers, one a line; `exact` is 1 for odd numbers and 0 for even ones. */
export function rowLines(...numbers: readonly number[]): string {
  return numbers.map((number) => `${JSON.stringify(rowOf(number))}\n`).join("");
}

/** One such row, with other fields. */
export function rowOf(number: number, fields: Readonly<Record<string, unknown>> = {}): unknown {
  const second = (offset: number) => `2026-05-04T10:00:${String(number + offset).padStart(2, "0")}Z`;
  return {
    row_id: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
    inputs: { question: `question ${String(number)}` },
    actual_outputs: { output: `answer ${String(number)}` },
    evaluation_scores: [{ key: "exact", score: number % 2 }],
    start_time: second(0),
    end_time: second(1),
    ...fields,
  };
}

/** The sentences of the error annotations. */
export function errorsOf({ annotations }: ActionResult): readonly string[] {
  return annotations.filter(({ type }) => type === "error").map(({ message }) => message);
}

/** The sentences of the warning annotations. */
export function warningsOf({ annotations }: ActionResult): readonly string[] {
  return annotations.filter(({ type }) => type === "warning").map(({ message }) => message);
}

/** The one sentence of a red step, which leaks and leaves nothing, and says how the upload ended. */
export function redSentence(result: ActionResult, status = "failed"): string {
  const log = result.log.join("\n");
  expect(result.exitCode, log).toBe(1);
  expect(result, log).toMatchObject({ leaked: [], faults: [], leftInTemp: [], rawStderr: "" });
  expect(result.outputs.get("upload-status"), log).toBe(status);
  expect(errorsOf(result), log).toHaveLength(1);
  const [sentence = ""] = errorsOf(result);
  expect(sentence, log).toSatisfy(isSentence);
  expect(log + result.summary).not.toMatch(/ZodError|\[object |^\s+at /m);
  return sentence;
}

/** Expects a step that is green, and that leaks and leaves nothing. */
export function expectGreen(result: ActionResult): void {
  const log = result.log.join("\n");
  expect(result, log).toMatchObject({ exitCode: 0, leaked: [], faults: [], leftInTemp: [], rawStderr: "" });
  expect(errorsOf(result), log).toEqual([]);
  expect(result.post, log).toMatchObject({ exitCode: 0, rawStdout: "", rawStderr: "" });
}
