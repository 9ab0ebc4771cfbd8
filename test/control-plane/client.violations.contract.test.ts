import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { connect } from "../../src/connection.ts";
import { deploy, HttpStatusError, uploadExperiment, type ValidationError } from "../../src/index.ts";
import { startFaultServer } from "../wire/fault-server.ts";
import { errorOf } from "../agent-server/rig.ts";

const VIOLATION = { loc: ["body", "source_config", 0, "name"], msg: "Field required", type: "missing" };
const ANSWER = { status: 422, body: { detail: [{ ...VIOLATION, input: { secret: "sk-1" }, ctx: {} }] } };

/** The violations of an error, or of what caused it. */
function violationsOf(error: unknown): readonly ValidationError[] | undefined {
  if (error instanceof HttpStatusError) return error.violations;
  return error instanceof Error ? violationsOf(error.cause) : undefined;
}

/** A service that rejects each write, and has nothing to read. */
const rejecting = () =>
  startFaultServer(({ method, path }) =>
    method === "GET" ? { status: path === "/v2/deployments" ? 200 : 404, body: { resources: [] } } : ANSWER,
  );

test("what a service rejects reaches the program that sends a single request", async () => {
  const { url } = await rejecting();
  const service = connect({ url, apiKey: "key" });
  onTestFinished(() => service.close());
  const request = { method: "POST", path: "/v2/other", body: {} } as const;
  const error = await errorOf(service.controlPlane.request({ ...request, schema: z.unknown() }));
  expect(error).toMatchObject({ code: "HTTP_STATUS", status: 422, violations: [VIOLATION] });
  expect(error).toMatchObject({ details: ["source_config.0.name: Field required"] });
  expect(JSON.stringify(error)).not.toContain("sk-1");
});

test("what a service rejects reaches the program that deploys", async () => {
  const { url } = await rejecting();
  const error = await errorOf(deploy({ name: "support", imageUri: "r.example/a:1" }, { url, apiKey: "key" }));
  expect(violationsOf(error)).toEqual([VIOLATION]);
});

test("what a service rejects reaches the program that uploads an experiment", async () => {
  const { url } = await rejecting();
  const rows = [{ inputs: { question: "why?" }, outputs: "because", scores: { exact: 1 } }];
  const error = await errorOf(uploadExperiment({ datasetName: "qa", rows }, { url, apiKey: "key" }));
  expect(violationsOf(error)).toEqual([VIOLATION]);
});

test("what a client rejects before it is sent has the same form", async () => {
  const { url } = await rejecting();
  const service = connect({ url, apiKey: "key" });
  onTestFinished(() => service.close());
  const body = { name: "", source: "github", source_config: {}, source_revision_config: {}, secrets: [] } as const;
  const error = await errorOf(service.controlPlane.create(body));
  expect(error).toMatchObject({ code: "INVALID_REQUEST" });
  expect(error).toMatchObject({
    violations: [{ loc: ["name"], msg: expect.any(String) as string, type: "too_small" }],
  });
});
