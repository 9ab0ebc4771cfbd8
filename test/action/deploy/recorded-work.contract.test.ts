import { testWith } from "../../test-with.ts";
import { hostOf } from "../../front/hosted.ts";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import { openRecord } from "../../../action/deploy/recorded-work.ts";
import type { DeployGitHub } from "../../../action/deploy/inputs.ts";
import type { Ended } from "../../../front/steps/deploy/work.ts";
import { FieldNames } from "../../../src/contract/field-names.ts";
import { Endpoint } from "../../../src/http/endpoint.ts";
import { deploy, type DeployEvent, type DeployRequest } from "../../../src/index.ts";
import { PREVIOUS } from "../../../src/deployment/options.ts";
import { Redactor } from "../../../src/http/redactor.ts";
import { API_KEY, rig as deployRig } from "../../deployment/rig.ts";
import { stateOf } from "../../github/deployments.ts";
import { forbidden } from "../../github/faults.ts";
import { MAIN_SHA } from "../../github/repository.ts";
import { rig as githubRig } from "../../github/rig.ts";
import { FastClock } from "../../wire/clocks.ts";
import { inputsFor } from "../github/small-server.ts";

const REACHED = { tenantId: undefined, fieldNames: FieldNames.none, allowHttp: false, proxy: {} };

const PREVIOUS_ONE: Partial<DeployRequest> = { source: { source: "revision", revision: PREVIOUS } };

/** A service, a project and a GitHub; `run` deploys and shows it there. */
async function world() {
  const stateFile = join(mkdtempSync(join(tmpdir(), "state-")), "state");
  writeFileSync(stateFile, "");
  onTestFinished(() => {
    rmSync(join(stateFile, ".."), { recursive: true, force: true });
    vi.unstubAllEnvs();
  });
  vi.stubEnv("GITHUB_STATE", stateFile);
  const clock = new FastClock();
  const service = await deployRig({}, undefined, clock);
  const { github: fake, repo } = await githubRig({ now: () => clock.date() });
  const events: DeployEvent[] = [];
  const run = async (change: Partial<DeployRequest> = {}, github: Partial<DeployGitHub> = {}) => {
    const isPrevious = change.source?.source === "revision" && change.source.revision === PREVIOUS;
    const inputs: DeployGitHub = {
      ...inputsFor("http://127.0.0.1", { token: fake.token, api: new URL(fake.url), repository: repo }),
      run: { id: "42", attempt: 1, commit: MAIN_SHA, url: "https://github.example/runs/42" },
      environment: "staging",
      rollbackEnvironment: isPrevious ? "staging" : undefined,
      ...github,
    };
    const request = service.request(change);
    const { signal } = service.cancel;
    const emit = (event: DeployEvent) => void events.push(event);
    const endpoint = new Endpoint(service.service.url, { apiKey: API_KEY });
    const connection = { ...REACHED, service: endpoint };
    const surroundings = { host: hostOf({}), redactor: new Redactor(), signal, emit, clock };
    await using record = openRecord({ request, connection, endpoint, github: inputs }, surroundings);
    const { beforeFirstWrite, knownSources, listen, onEnd } = record;
    let ended: Ended | undefined;
    const note = (event: DeployEvent) => {
      if (event.type === "ended") ended = event;
      listen?.(event);
      emit(event);
    };
    try {
      await deploy(request, { ...service.deps, beforeFirstWrite, knownSources, emit: note });
    } finally {
      if (ended !== undefined) await onEnd?.(ended);
    }
  };
  const warnings = () => events.flatMap((event) => (event.type === "warning" ? [event.message] : []));
  const states = () => fake.state.deployments.all.map(stateOf).toReversed();
  return { fake, service, run, warnings, states, saved: () => readFileSync(stateFile, "utf8") };
}
const withWorld = testWith(world);

describe("the record of a deploy", () => {
  test("is in progress before the first write, and a success with the agent's address after it", async () => {
    const { fake, run, service, warnings, saved } = await world();
    const writes: (readonly string[])[] = [];
    fake.turn = ({ method }) => {
      if (method === "POST") writes.push(service.requests().filter((request) => !request.startsWith("GET")));
    };
    await run();
    expect(writes.slice(0, 2)).toEqual([[], []]);
    const [record] = fake.state.deployments.all;
    expect(record).toMatchObject({
      sha: MAIN_SHA,
      task: "deploy:support-agent",
      statuses: [
        { state: "in_progress", logUrl: "https://github.example/runs/42" },
        {
          state: "success",
          environmentUrl: expect.stringMatching(/^http:/),
          description: expect.stringMatching(/^revision [0-9a-f-]{36}, /),
        },
      ],
    });
    expect(warnings()).toEqual([]);
    expect(saved()).toContain("github-record");
  });

  withWorld("is on the newest commit of the pull request that was commented on", async ({ fake, run }) => {
    const { number, headSha } = fake.state.pulls.open();
    await run({}, { event: { commentedPullRequest: number } });
    expect(fake.state.deployments.all).toMatchObject([{ sha: headSha }]);
  });

  withWorld("of the one before is inactive then", { tags: "slow" }, async ({ run, states }) => {
    await run();
    await run();
    expect(states()).toEqual(["inactive", "success"]);
  });

  test("of a deploy that a newer one replaces while it ends is inactive", { tags: "slow" }, async () => {
    const { fake, run, states, warnings } = await world();
    fake.turn = async ({ body }) => {
      if (!JSON.stringify(body ?? "").includes('"success"')) return;
      fake.turn = () => undefined;
      await run();
    };
    await run();
    expect({ states: states(), warnings: warnings() }).toEqual({ states: ["inactive", "success"], warnings: [] });
  });

  test("of a rollback says to which revision, because its commit is that of the run", { tags: "slow" }, async () => {
    const { run, service, fake } = await world();
    await run();
    const first = service.service.deployments()[0]?.active_revision_id ?? "?";
    await service.write({ "src/support.py": "graph = 3\n" });
    await run();
    await run({ source: { source: "revision", revision: "previous" } });
    expect(fake.state.deployments.all[0]?.statuses.at(-1)).toMatchObject({
      state: "success",
      description: expect.stringContaining(`rollback to ${first.slice(0, 8)}`),
    });
  });

  test(
    "has the digest of its files, with which alone `previous` goes back past a re-run of the bad ones",
    { tags: "slow" },
    async () => {
      const { run, service, fake, warnings } = await world();
      await run();
      const first = service.service.deployments()[0]?.active_revision_id ?? "?";
      await service.write({ "src/support.py": "graph = 0 / 0\n" });
      await run();
      await run({ secrets: [{ name: "KEY", value: "value-of-a-secret" }] });
      await run(PREVIOUS_ONE);
      const payloads = fake.state.deployments.all.map(({ payload }) =>
        z.looseObject({ digest: z.string() }).parse(payload),
      );
      const [back, again, bad, good] = payloads;
      expect(good?.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
      expect(bad?.digest).not.toBe(good?.digest);
      expect(again?.digest).toBe(bad?.digest);
      expect(back).toMatchObject({ digest: good?.digest, rolled_back_to: first });
      await service.write({ "src/support.py": "graph = 0 / 0\n" });
      await run();
      await run(PREVIOUS_ONE);
      const path = (id: string) =>
        service.service.revisions(service.service.deployments()[0]?.id ?? "").find((one) => one.id === id)
          ?.source_revision_config.source_tarball_path;
      expect(path(service.service.deployments()[0]?.active_revision_id ?? "")).toBe(path(first));
      expect(warnings()).toEqual([]);
    },
  );

  test(
    "of deploys that did not wait has their revisions, too: `previous` goes back past them",
    { tags: "slow" },
    async () => {
      const { run, service, fake, states, warnings } = await world();
      const started = async (files: string, change: Partial<DeployRequest> = {}) => {
        await service.write({ "src/support.py": files });
        await run({ wait: false, ...change });
        const [deployment] = service.service.deployments();
        await expect.poll(() => service.service.revisions(deployment?.id ?? "")[0]?.status).toBe("DEPLOYED");
        return service.service.revisions(deployment?.id ?? "")[0];
      };
      const first = await started("graph = 1\n");
      await started("graph = 0 / 0\n");
      await started("graph = 0 / 0\n", { secrets: [{ name: "KEY", value: "value-of-a-secret" }] });
      expect(states()).toEqual(["inactive", "inactive", "in_progress"]);
      expect(fake.state.deployments.all.at(-1)?.statuses.at(-2)?.description).toMatch(
        new RegExp(`^started, revision ${first?.id ?? "?"}, `),
      );
      await run(PREVIOUS_ONE);
      const [back] = service.service.revisions(service.service.deployments()[0]?.id ?? "");
      const path = first?.source_revision_config.source_tarball_path;
      expect(back?.source_revision_config.source_tarball_path).toBe(path);
      expect(warnings()).toEqual([]);
    },
  );

  test(
    "that GitHub does not show is a warning, and `previous` names the last revisions with their commits",
    { tags: "slow" },
    async () => {
      const { run, service, fake, warnings } = await world();
      await run();
      await service.write({ "src/support.py": "graph = 0 / 0\n" });
      await run();
      const unnamed = fake.state.deployments.all[0];
      unnamed?.statuses.splice(0);
      const before = service.requests().filter((request) => !request.startsWith("GET "));
      const error: unknown = await run(PREVIOUS_ONE).catch((caught: unknown) => caught);
      expect(error).toMatchObject({
        reasons: ["ROLLBACK_UNCLEAR"],
        choices: [
          { serves: true, commit: undefined },
          { serves: false, commit: MAIN_SHA },
        ],
        message: expect.stringContaining(`commit ${MAIN_SHA.slice(0, 7)})`) as string,
      });
      expect(warnings()).toEqual([]);
      fake.faults.add({}, forbidden("deployments=read"), Infinity);
      await expect(run(PREVIOUS_ONE)).rejects.toMatchObject({ reasons: ["ROLLBACK_UNCLEAR"] });
      expect(warnings()).toEqual([expect.stringContaining("Reading the deployment records on GitHub")]);
      expect(service.requests().filter((request) => !request.startsWith("GET "))).toEqual(before);
    },
  );

  withWorld("is a success for what is live already, too", { tags: "slow" }, async ({ run, service, states }) => {
    const record = join(service.directory, "kept.json");
    await run({ record });
    await run({ record });
    expect(states()).toEqual(["inactive", "success"]);
  });

  withWorld("of a cancelled deploy is an error", async ({ run, service, states, fake }) => {
    fake.turn = ({ body }) => {
      if (JSON.stringify(body).includes("in_progress")) service.cancel.abort();
    };
    await expect(run()).rejects.toMatchObject({ code: "CANCELLED" });
    expect(states()).toEqual(["error"]);
  });

  withWorld("of a deploy that the service refuses is an error", async ({ run, service, states }) => {
    const match = { method: "POST", path: /\/v2\/deployments$/ };
    service.service.faults.add({ times: Infinity, match, do: { kind: "answer", status: 422 } });
    await expect(run()).rejects.toMatchObject({ code: "APPLY" });
    expect(states()).toEqual(["error"]);
  });

  withWorld("is not made where the deploy fails before it writes", async ({ run, service, fake }) => {
    await service.write({ "graph.json": "{" });
    await expect(run()).rejects.toThrow();
    expect(fake.requests).toEqual([]);
  });
});

describe("a deploy is as green as without GitHub", () => {
  test("where the token lacks a permission, with one warning", { tags: "slow" }, async () => {
    const { fake, run, warnings, saved } = await world();
    fake.faults.add({}, forbidden("deployments=write"), Infinity);
    await run();
    expect(warnings()).toEqual([expect.stringContaining("`deployments: write`")]);
    expect(fake.requests).toHaveLength(1);
    // What was saved before the request is taken back: the post script has nothing to look for.
    expect(saved()).toMatch(/github-record<<(\S+)\s+\1\s*$/);
  });

  withWorld("where GitHub cannot be reached, with one warning", { tags: "slow" }, async ({ run, warnings }) => {
    await run({}, { api: new URL("http://127.0.0.1:1/api/v3") });
    expect(warnings()).toEqual([expect.stringContaining("ECONNREFUSED")]);
  });
});
