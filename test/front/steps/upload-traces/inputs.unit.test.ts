import { secretsOf } from "../../../../front/steps/run-step.ts";
import { uploadTracesStep } from "../../../../action/upload-traces/step.ts";
import { hostOf, optionsOf } from "../../hosted.ts";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sentTo } from "../../options/step.ts";
import { faults, makeStep, read } from "./step.ts";

describe("a step that uploads traces", () => {
  test("takes its inputs as they are declared", async () => {
    const inputs = await read({
      "session-name": " desk ",
      format: "otlp",
      "tenant-id": "team-7",
      "job-summary": "false",
    });
    expect(inputs).toMatchObject({
      task: "upload",
      request: { format: "otlp", sessionName: "desk", files: [{ name: "runs.jsonl" }] },
      jobSummary: false,
    });
    expect(sentTo(inputs.connection?.service)).toEqual({
      url: "https://traces.example/",
      "x-api-key": "key-0123456789",
      "x-tenant-id": "team-7",
    });
  });

  test("detects the format from the content and names no session, unless the inputs give them", async () => {
    expect((await read()).request).toMatchObject({ format: undefined, sessionName: undefined });
  });

  test("finds files by paths and globs, one a line", async () => {
    const { request } = await read(
      { traces: "b.json\n\n  out/*.jsonl" },
      {},
      { "b.json": "", "out/2.jsonl": "", "out/1.jsonl": "" },
    );
    expect(request.files.map(({ name }) => name)).toEqual(["b.json", "out/1.jsonl", "out/2.jsonl"]);
  });

  test("may be without files where that is said", async () => {
    const inputs = await read({ traces: "none/*.json", "if-no-files-found": "warn" });
    expect(inputs).toMatchObject({ request: { files: [] }, warnings: ["traces: none/*.json matches no file."] });
    expect(await read({ traces: "none/*.json", "if-no-files-found": "ignore" })).toMatchObject({ warnings: [] });
  });

  test("reports every fault at once, without the key that stands in the wrong place", async () => {
    const wrong = {
      traces: "none/*.json",
      format: "xml",
      "session-name": "of key-0123456789",
      "base-url": "key-0123456789",
      "dry-run": "maybe",
    };
    const found = await faults(wrong);
    expect(found.map((fault) => fault.split(":")[0])).toEqual([
      "dry-run",
      "format",
      "traces",
      "base-url",
      "session-name",
    ]);
    expect(found.join()).not.toContain("key-0123456789");
    expect(found[1]).toBe('format: "xml" is not valid (choose auto, jsonl or otlp)');
  });

  test("needs files, an address and a key", async () => {
    expect(await faults({ traces: "", "base-url": "", "api-key": "" })).toEqual([
      expect.stringMatching(/^traces: is missing/),
      "base-url: is missing; set the address of the service, or `local` for a rehearsal",
      "api-key: is empty, which usually means the secret is not set; the service needs one",
    ]);
  });

  test("needs neither address nor key for a dry run, and no key for a rehearsal", async () => {
    const bare = { "base-url": "", "api-key": "" };
    expect(await read({ ...bare, "dry-run": "true" })).toMatchObject({ task: "dry-run", connection: undefined });
    expect(await read({ ...bare, "base-url": "local" })).toMatchObject({ connection: { service: "local" } });
  });

  test("knows the secrets of its inputs and its environment, also of those that cannot be used", async () => {
    const { env } = await makeStep(
      { "base-url": "https://u:pass-1@traces.example" },
      { GRAPH_DEPLOY_API_KEY: "key-of-env" },
    );
    expect(secretsOf(uploadTracesStep, hostOf(env))).toEqual(
      expect.arrayContaining(["key-0123456789", "key-of-env", "pass-1"]),
    );
  });
});

describe("the file of unsent runs", () => {
  async function withUnsent() {
    const step = await makeStep();
    const folder = join(step.temp, "graph-deploy-unsent-a1");
    await mkdir(folder);
    await writeFile(join(folder, "runs.jsonl"), "");
    return { ...step, unsent: join(folder, "runs.jsonl") };
  }

  test("is read from the folder for temporary files, beside others of the workspace", async () => {
    const { env, unsent } = await withUnsent();
    const { request } = await optionsOf(uploadTracesStep, { ...env, INPUT_TRACES: `${unsent}\nruns.jsonl` });
    expect(request.files.map(({ name }) => name)).toEqual([unsent, "runs.jsonl"]);
  });

  test.skipIf(process.platform === "win32")("is the only one that is: no other, and no link to another", async () => {
    const { env, temp } = await withUnsent();
    await writeFile(join(temp, "event.json"), "");
    await symlink(join(temp, "event.json"), join(temp, "graph-deploy-unsent-a1", "link.jsonl"));
    for (const path of ["event.json", "graph-deploy-unsent-a1/link.jsonl", "graph-deploy-unsent-a1/../event.json"]) {
      await expect(optionsOf(uploadTracesStep, { ...env, INPUT_TRACES: join(temp, path) })).rejects.toThrow(
        /is outside the workspace/,
      );
    }
  });
});
