import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CancelledError, deploy, dryRun, follow, type DeployRequest } from "../../src/index.ts";
import { PROJECT } from "../source/temporary-tree.ts";
import { rig } from "./rig.ts";

/** A rig whose hook notes how many requests the service had received by then. */
async function hooked(fail?: (cancel: AbortController) => void) {
  const parts = await rig();
  const calls: { readonly requests: number; readonly writes: number }[] = [];
  const writes = () => parts.service.requests.filter(({ method }) => method !== "GET").length;
  const deps = {
    ...parts.deps,
    beforeFirstWrite: () => {
      calls.push({ requests: parts.requests().length, writes: writes() });
      fail?.(parts.cancel);
      return Promise.resolve();
    },
  };
  const run = (change?: Partial<DeployRequest>) => deploy(parts.request(change), deps);
  return { ...parts, deps, calls, writes, run };
}

describe("the hook before the first write", () => {
  test("runs once, after all that is only read and before the create", async () => {
    const { run, calls, requests } = await hooked();
    await run();
    expect(calls).toEqual([{ requests: 1, writes: 0 }]);
    expect(requests().slice(0, 2)).toEqual(["GET /v2/deployments", "POST /v2/deployments"]);
  });

  test("runs once before the upload of an update, and before the patch of one without", async () => {
    const { deploy: first, run, calls, requests, service } = await hooked();
    await first();
    const made = service.requests.filter(({ method }) => method !== "GET").length;
    await run();
    expect(calls).toMatchObject([{ writes: made }]);
    expect(requests()[calls[0]?.requests ?? -1]).toBe("POST /deployments/ID/upload-url");
  });

  test("does not run where nothing is written", async () => {
    const { run, calls, directory, deps, request } = await hooked();
    const record = join(directory, "kept.json");
    const { deploymentId, revisionId } = await run({ record });
    expect(await run({ record })).toMatchObject({ outcome: "unchanged" });
    await dryRun(request(), deps);
    await follow({ ...request(), target: { deploymentId }, revisionId }, deps);
    expect(calls).toHaveLength(1);
  });

  test("that fails leaves nothing written, and its error is that of the deploy", async () => {
    const reason = new Error("the pull request is closed");
    const { run, writes, spool, of } = await hooked(() => {
      throw reason;
    });
    await expect(run()).rejects.toBe(reason);
    expect(writes()).toBe(0);
    expect(await readdir(spool)).toEqual([]);
    expect(of("ended")).toMatchObject([{ outcome: "failed", error: reason }]);
  });

  test("that ends after a cancel leaves nothing written, and the error says so", async () => {
    const { run, writes } = await hooked((cancel) => {
      cancel.abort();
    });
    const error: unknown = await run().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(CancelledError);
    expect(error).toMatchObject({ message: expect.stringContaining("nothing was written") });
    expect(writes()).toBe(0);
  });
});

const IMAGE = { source: "external_docker", imageUri: "registry.example/agent:1" } as const;

describe("the hook after the upload", () => {
  test("runs once, right before the patch, and not for a source that is not uploaded", async () => {
    const { deps, request, requests } = await rig();
    const calls: number[] = [];
    const hook = () => Promise.resolve(void calls.push(requests().length));
    await deploy(request(), { ...deps, afterUpload: hook });
    expect(requests().slice((calls[0] ?? 0) - 1, (calls[0] ?? 0) + 1)).toEqual([
      "PUT /objects/sources/ID/ID.tar.gz",
      "PATCH /v2/deployments/ID",
    ]);
    await deploy(request({ target: { name: "image" }, source: IMAGE, smokeTest: false }), {
      ...deps,
      afterUpload: hook,
    });
    expect(calls).toHaveLength(1);
  });

  test("that fails leaves no revision of the source, and its error is that of the deploy", async () => {
    const { deps, request, service } = await rig();
    const reason = new Error("a newer run was faster");
    await expect(deploy(request(), { ...deps, afterUpload: () => Promise.reject(reason) })).rejects.toBe(reason);
    expect(service.requests.map(({ method }) => method)).not.toContain("PATCH");
  });
});

test("a source with a credential is refused before it, in a deploy and in a dry run", async () => {
  const login = "--index-url https://robot:hunter2@pypi.internal/simple";
  const parts = await rig({}, { ...PROJECT, "requirements.txt": `agent==1\n${login}\n` });
  for (const run of [parts.deploy, parts.dryRun]) {
    const error: unknown = await run().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "SOURCE_TREE", reasons: ["CREDENTIALS_FOUND"] });
    expect(String(error)).toMatch(/requirements\.txt contains .* \(line 2\)\.$/);
  }
  expect(parts.requests()).toEqual([]);
  const source = { ...parts.request().source, allowSecretsInSource: ["requirements.txt"] } as DeployRequest["source"];
  expect(await parts.deploy({ source })).toMatchObject({ outcome: "deployed" });
  expect(parts.of("source-read").at(-1)?.tree.warnings).toEqual([
    expect.stringContaining("requirements.txt") as string,
  ]);
});

test("what a checkout did not bring is a warning with a code, in a deploy and in a dry run", async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 1234\n`;
  const parts = await rig({}, { ...PROJECT, "model.bin": pointer });
  await parts.dryRun();
  await parts.deploy();
  const warned = parts.of("warning").filter(({ code }) => code === "LFS_POINTERS");
  expect(warned.map(({ message }) => message)).toEqual(Array(2).fill(expect.stringMatching(/: model\.bin\.$/)));
});
