import { cp, readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runAction } from "../../runner/runner.ts";
import { API_KEY, UUID } from "../../dist/step.ts";
import {
  withUploadStep,
  expectGreen,
  redSentence,
  UPLOAD_DIST,
  UPLOAD_PATH,
  UPLOAD_YML,
  uploadStep,
} from "../../dist/upload-step.ts";

const OTHER_RUN = { env: { GITHUB_RUN_ID: "1658821492" } };

describe("an upload", () => {
  test("is green, writes every output and the summary, and leaks and leaves nothing", async () => {
    const { options, stored, rows, service } = await uploadStep();
    const result = await runAction(options());
    expectGreen(result);
    const [experiment] = await stored();
    const id = experiment?.id ?? "";
    expect(Object.fromEntries(result.outputs)).toEqual({
      "experiment-id": id,
      "experiment-name": "nightly",
      "dataset-id": expect.stringMatching(UUID) as string,
      "dataset-name": "capitals",
      "upload-status": "uploaded",
      "row-count": "3",
      "error-count": "0",
      "missing-score-count": "0",
      scores: '{"exact":{"n":3,"mean":0.6666666666666666}}',
      "request-path": "",
    });
    const page = `${service.url}/o/00000000-0000-4000-8000-000000000000/datasets/${result.outputs.get("dataset-id") ?? ""}/compare?selectedSessions=${id}`;
    expect(result.log).toEqual([
      "Task          upload of results",
      "Results       results.jsonl: 3 rows (native-jsonl, 726 bytes)",
      "Scores        exact 0.667 (3) · latency p95 1 s",
      "Experiment    nightly in dataset capitals",
      expect.stringMatching(/^Uploaded {6}1\.4 kB in /),
      `Page          ${page}`,
    ]);
    expect(result.summary).toContain("### ✅ nightly is uploaded\n");
    expect(result.summary).toContain("| exact | 0.667 | 3 | 0 |");
    expect((await rows(id)).map(({ inputs }) => inputs["question"])).toEqual([
      "question 1",
      "question 2",
      "question 3",
    ]);
  });

  withUploadStep("of a name that is taken gets the next number, or fails", async ({ options, stored }) => {
    expectGreen(await runAction(options({}, OTHER_RUN)));
    const second = await runAction(options());
    expectGreen(second);
    expect(second.outputs.get("experiment-name")).toBe("nightly-2");
    expect(second.log).toContain("Name taken    nightly already exists; trying nightly-2");
    const third = await runAction(options({ "on-name-conflict": "fail" }, { env: { GITHUB_RUN_ID: "3" } }));
    expect(redSentence(third)).toBe('An experiment named "nightly" already exists.');
    expect(third.outputs.get("experiment-id")).toBe("");
    expect(await stored()).toHaveLength(2);
  });

  test("in a second attempt of the run sends nothing that the first has stored", async () => {
    const { options, posts } = await uploadStep();
    const first = await runAction(options());
    const second = await runAction(options({}, { env: { GITHUB_RUN_ATTEMPT: "2" } }));
    expectGreen(second);
    expect(Object.fromEntries(second.outputs)).toEqual(Object.fromEntries(first.outputs));
    expect(second.log).toContain("Uploaded      nightly by an earlier attempt of this run; nothing was sent");
    expect(posts()).toBe(1);
  });
});

test("a dry run leaves the exact body in a file and sends nothing, and needs no address and no key", async () => {
  const { options, service, stored, rows, posts } = await uploadStep();
  const dry = await runAction(options({ "dry-run": "true", "base-url": "", "api-key": "" }));
  expect(dry).toMatchObject({ exitCode: 0, faults: [], leaked: [] });
  const path = dry.outputs.get("request-path") ?? "";
  expect(dry.leftInTemp).toEqual([expect.stringMatching(/^graph-deploy-request-\w+\/experiment-1\.json$/)]);
  expect(path.replaceAll("\\", "/")).toMatch(new RegExp(`/${dry.leftInTemp[0] ?? ""}$`));
  expect(Object.fromEntries(dry.outputs)).toMatchObject({
    "upload-status": "dry-run",
    "experiment-name": "nightly",
    "row-count": "3",
    "experiment-id": "",
  });
  const body = await readFile(path, "utf8");
  expect(dry.log.at(-1)).toBe(
    `Request       written to ${path}, ${(Buffer.byteLength(body) / 1000).toFixed(1)} kB; nothing was sent`,
  );
  expect(service.requests).toEqual([]);

  const answer = await fetch(service.url + UPLOAD_PATH, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": API_KEY },
    body,
  });
  expect(answer.status, await answer.clone().text()).toBe(200);
  expect(await runAction(options({ "experiment-name": "real" }))).toMatchObject({ exitCode: 0 });
  expect(posts()).toBe(2);
  const [real, copy] = await stored();
  expect([real?.name, copy?.name]).toEqual(["real", "nightly"]);
  expect(await rows(copy?.id ?? "")).toEqual(await rows(real?.id ?? ""));
  expect(copy?.extra?.metadata).toEqual(real?.extra?.metadata);
  expect(copy?.["start_time"]).toBe(real?.["start_time"]);
});

describe("an experiment without a name", () => {
  const NAMELESS = { "experiment-name": "" };

  test("is called by the workflow, the commit and the run of a push, as its metadata says", async () => {
    const { options, stored } = await uploadStep();
    const result = await runAction(options({ ...NAMELESS, metadata: "model: m-1\nseed: 7" }));
    expectGreen(result);
    expect(result.outputs.get("experiment-name")).toBe("Deploy-ffac537-1658821493");
    const [experiment] = await stored();
    expect(experiment?.name).toBe("Deploy-ffac537-1658821493");
    expect(experiment?.extra?.metadata).toEqual({
      commit: "ffac537e6cbbf934b08745a378932722df287a53",
      ref: "main",
      repository: "octo-org/octo-repo",
      workflow: "Deploy",
      job: "deploy",
      actor: "octocat",
      run_url: "https://github.com/octo-org/octo-repo/actions/runs/1658821493/attempts/1",
      run_id: "1658821493",
      run_attempt: 1,
      uploaded_with: expect.stringMatching(/^graph-deploy \d/) as string,
      result_files: [
        {
          name: "results.jsonl",
          format: "native-jsonl",
          rows: 3,
          digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
        },
      ],
      model: "m-1",
      seed: 7,
      upload_mark: expect.stringMatching(/^1658821493:[0-9a-f]{32}$/) as string,
    });
  });

  test("is called by the newest commit of a pull request's branch, not by the merge that nobody finds again", async () => {
    const { options, stored } = await uploadStep();
    const head = "0123456789abcdef0123456789abcdef01234567";
    const result = await runAction(
      options(NAMELESS, {
        env: {
          GITHUB_EVENT_NAME: "pull_request",
          GITHUB_REF: "refs/pull/42/merge",
          GITHUB_HEAD_REF: "topic",
          GITHUB_RUN_ATTEMPT: "3",
          GITHUB_WORKFLOW: ".github/workflows/eval.yml",
        },
        event: { pull_request: { number: 42, head: { sha: head, repo: { fork: false } }, base: { repo: {} } } },
      }),
    );
    expectGreen(result);
    expect(result.outputs.get("experiment-name")).toBe("eval-0123456-1658821493");
    const [experiment] = await stored();
    expect(experiment?.extra?.metadata).toMatchObject({ commit: head, ref: "topic", pull_request: 42, run_attempt: 3 });
  });
});

test("a rehearsal works from the shipped files alone, with a state that the steps of a job share", async () => {
  const { options, workspace, temp } = await uploadStep();
  const elsewhere = join(workspace, "action");
  await cp(UPLOAD_DIST, join(elsewhere, "dist"), { recursive: true });
  await cp(UPLOAD_YML, join(elsewhere, "upload-experiment/action.yml"));
  const local = {
    ...options({ "base-url": "local", "api-key": "" }),
    actionYml: join(elsewhere, "upload-experiment/action.yml"),
  };
  const first = await runAction(local);
  expect(first).toMatchObject({ exitCode: 0, faults: [], rawStderr: "" });
  expect(first.log[0]).toBe("Task          upload of results");
  expect(first.log[1]).toBe(
    "Rehearsal     using a local service that stops with this step; nothing is sent over the network",
  );
  const second = await runAction({ ...local, ...OTHER_RUN });
  expect(second.outputs.get("experiment-name")).toBe("nightly-2");
  expect(second.outputs.get("dataset-id")).toBe(first.outputs.get("dataset-id"));
  expect((await readdir(temp)).filter((name) => !name.startsWith("_"))).toEqual(["graph-deploy-local"]);
});
