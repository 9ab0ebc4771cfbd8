import { expect } from "vitest";
import * as z from "zod";
import type { LocalService } from "../../src/local/index.ts";
import { call, type Ask, type Reply } from "./caller.ts";

export const UPLOAD = "/datasets/upload-experiment";
export const ROW_IDS = [1, 2, 3, 4].map((digit) => `0000000${digit}-0000-5000-8000-000000000000`);

const WINDOW = {
  experiment_start_time: "2026-03-04T05:00:00Z",
  experiment_end_time: "2026-03-04T06:00:00Z",
} as const;

type Fields = Readonly<Record<string, unknown>>;

/** A row by its number, one second long. */
export function row(number: number, change: Fields = {}): Fields {
  return {
    row_id: ROW_IDS[number - 1],
    inputs: { question: `question ${number}` },
    expected_outputs: { answer: `answer ${number}` },
    actual_outputs: { answer: `reply ${number}` },
    evaluation_scores: [{ key: "accuracy", score: 1 }],
    start_time: "2026-03-04T05:10:00Z",
    end_time: "2026-03-04T05:10:01Z",
    ...change,
  };
}

/** A request that breaks no rule, with two rows. */
export function experiment(change: Fields = {}): Fields {
  return { experiment_name: "first", dataset_name: "questions", ...WINDOW, results: [row(1), row(2)], ...change };
}

export function post(service: LocalService, json: unknown, ask: Ask = {}): Promise<Reply> {
  return call(service.url, "POST", UPLOAD, { json, ...ask });
}

const Answer = z.object({
  experiment: z.looseObject({ id: z.string(), name: z.string() }),
  dataset: z.looseObject({ id: z.string(), name: z.string(), tenant_id: z.string() }),
});

/** Uploads and answers what the service says. */
export async function uploaded(service: LocalService, change: Fields = {}) {
  const reply = await post(service, experiment(change));
  expect(reply, reply.text).toMatchObject({ status: 200 });
  return Answer.parse(reply.json);
}

export async function get(service: LocalService, path: string): Promise<Reply> {
  return call(service.url, "GET", path);
}

/** The datasets of the service, newest first. */
export async function datasetsOf(service: LocalService) {
  const reply = await get(service, "/datasets");
  expect(reply, reply.text).toMatchObject({ status: 200 });
  return z.array(Answer.shape.dataset).parse(reply.json);
}

const List = z.looseObject({ resources: z.array(z.looseObject({})), offset: z.number() });

/** A list of the service. */
export async function listed(service: LocalService, path: string) {
  const reply = await get(service, path);
  expect(reply, reply.text).toMatchObject({ status: 200 });
  return List.parse(reply.json);
}
