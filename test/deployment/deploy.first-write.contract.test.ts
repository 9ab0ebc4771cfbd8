import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CancelledError, deploy, dryRun, follow, type DeployRequest } from "../../src/index.ts";
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
