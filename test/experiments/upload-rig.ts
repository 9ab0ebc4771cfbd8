import { testWith } from "../test-with.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import * as z from "zod";
import { ExperimentUploads } from "../../src/experiment-upload/client.ts";
import type { ExperimentEvent } from "../../src/experiments/events.ts";
import { findFiles } from "../../src/files/find-files.ts";
import type { Mapping } from "../../src/experiments/rows/mapping.ts";
import type { ExperimentRequest } from "../../src/experiments/request.ts";
import { dryRunUpload, uploadResults } from "../../src/experiments/upload.ts";
import { systemClock } from "../../src/http/clock.ts";
import { Endpoint } from "../../src/http/endpoint.ts";
import { HttpClient } from "../../src/http/http-client.ts";
import { startLocalService, type LocalServiceOptions } from "../../src/local/index.ts";
import { FastClock } from "../wire/clocks.ts";
import { writeFiles } from "../write-files.ts";
import { REQUEST } from "./request.ts";

const Page = z.object({ resources: z.array(z.looseObject({ name: z.string().optional() })) });

/** A row as the API takes it, in one line, 1 s after the other. */
export function row(id: number, fields: Readonly<Record<string, unknown>> = {}): string {
  const second = (offset: number) => `2026-05-04T10:00:${String(id + offset).padStart(2, "0")}Z`;
  return JSON.stringify({
    inputs: { question: `question ${String(id)}` },
    evaluation_scores: [{ key: "exact", score: id % 2 }],
    start_time: second(0),
    end_time: second(1),
    ...fields,
  });
}

/** A workspace, the local service, and the workflow between them. */
export async function uploadRig(options: LocalServiceOptions = {}) {
  const service = await startLocalService({ experimentDelayMilliseconds: 0, ...options });
  const workspace = await mkdtemp(join(tmpdir(), "graph-deploy-upload-"));
  const spoolDirectory = await mkdtemp(join(tmpdir(), "graph-deploy-upload-spool-"));
  const cancellation = new AbortController();
  const http = new HttpClient({ clock: new FastClock(), random: () => 0, signal: cancellation.signal });
  onTestFinished(async () => {
    await http.close();
    await service.close();
    for (const folder of [workspace, spoolDirectory]) await rm(folder, { recursive: true, force: true });
  });
  const events: ExperimentEvent[] = [];
  const emit = (event: ExperimentEvent) => {
    events.push(event);
  };
  const uploads = new ExperimentUploads({
    endpoint: new Endpoint(service.url),
    http,
    onRetry: (notice) => {
      emit({ type: "retry", notice });
    },
  });
  const deps = { spoolDirectory, clock: systemClock, signal: cancellation.signal, emit };
  const requestOf = async ({ patterns = ["*"], mapping, ...fields }: Overrides): Promise<ExperimentRequest> => {
    const { files } = await findFiles(patterns, workspace);
    return { results: { files, format: undefined, mapping, workspace }, ...REQUEST, ...fields };
  };
  return {
    service,
    workspace,
    spoolDirectory,
    cancellation,
    events,
    warnings: () => events.flatMap((event) => (event.type === "warning" ? [event.message] : [])),
    posts: () => service.requests.filter(({ method }) => method === "POST").length,
    write: async (files: Readonly<Record<string, string>>) => {
      await writeFiles(workspace, files);
    },
    upload: async (fields: Overrides = {}) => await uploadResults(await requestOf(fields), { ...deps, uploads }),
    dryRun: async (fields: Overrides = {}) =>
      await dryRunUpload(await requestOf(fields), { ...deps, requestDirectory: spoolDirectory }),
    get: async (path: string) => Page.parse(await (await fetch(service.url + path)).json()).resources,
  };
}

export const withUploads = testWith(uploadRig);

interface Overrides extends Partial<ExperimentRequest> {
  readonly patterns?: readonly string[];
  readonly mapping?: Mapping;
}
