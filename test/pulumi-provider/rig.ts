import { testWith } from "../test-with.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { check } from "../../pulumi-provider/core/check/check.ts";
import { diff } from "../../pulumi-provider/core/operations/diff.ts";
import { openService } from "../../pulumi-provider/core/service/service.ts";
import { inputsOf } from "../../pulumi-provider/core/operations/request.ts";
import type { Properties } from "../../pulumi-provider/core/state/state.ts";
import { create, update, type Outcome } from "../../pulumi-provider/core/operations/update.ts";
import type { DeployEvent } from "../../src/deployment/events.ts";
import { startLocalService } from "../../src/local/index.ts";
import { FastClock } from "../wire/clocks.ts";
import { PROJECT, temporaryTree } from "../source/temporary-tree.ts";
import { context, IMAGE } from "./context.ts";

const API_KEY = "key-of-the-test-0123456789";

/** A service, and the steps of a provider against it. */
export async function rig({ walkMilliseconds = 0 } = {}) {
  const service = await startLocalService({ walkMilliseconds, apiKey: API_KEY, keepBodies: true });
  const programDirectory = temporaryTree(PROJECT);
  const spoolDirectory = mkdtempSync(join(tmpdir(), "pulumi-core-"));
  const config = { "graph-deploy:controlPlaneUrl": service.url, "graph-deploy:apiKey": API_KEY };
  const env: Record<string, string> = {};
  const setting = context({ config, env, programDirectory });
  const clock = new FastClock();
  const { signal } = new AbortController();
  const connection = openService(inputsOf({ ...IMAGE, controlPlaneUrl: service.url }), setting, {
    signal,
    clock,
    random: () => 0,
  });
  onTestFinished(async () => {
    await connection[Symbol.asyncDispose]();
    await service.close();
    rmSync(spoolDirectory, { recursive: true });
  });
  const warnings: string[] = [];
  const emit = (event: DeployEvent) => {
    if (event.type === "warning") warnings.push(event.message);
  };
  const deps = { ...connection, clock, signal, spoolDirectory, emit };
  const operation = { deps, config: setting.config, env: setting.env, programDirectory, log: setting.log };
  const checked = async (news: Properties, olds: Properties = {}) => {
    const { inputs, failures } = await check(olds, news, setting);
    expect(failures).toEqual([]);
    return inputs;
  };
  return {
    service,
    env,
    operation,
    checked,
    logged: setting.logged,
    warnings,
    programDirectory,
    create: async (news: Properties) => await create(await checked(news), operation),
    update: async ({ id, properties }: Outcome, news: Properties) =>
      await update(id, properties, await checked(news, properties), operation),
    diff: async ({ properties }: Outcome, news: Properties) =>
      await diff(properties, await checked(news, properties), operation),
    requests: () => service.requests.length,
  };
}

export const withRig = testWith(rig);
