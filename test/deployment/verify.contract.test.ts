import { expect, test, vi } from "vitest";
import { AddressError, connect, deploy, VerifyError } from "../../src/index.ts";
import type { FaultRule } from "../../src/local/index.ts";
import { FastClock } from "../wire/clocks.ts";
import { withRig, rig } from "./rig.ts";

const STRANGER = "00000000-0000-4000-8000-000000000000";
const DEPLOYMENT = /^\/v2\/deployments\/[^/]+$/;

/** Changes what the service or an agent answers. */
const edit = (match: FaultRule["match"], change: (json: never) => unknown, times = 1): FaultRule => ({
  ...(match === undefined ? {} : { match }),
  times,
  do: { kind: "edit", edit: (json) => change(json as never) },
});

withRig("an agent that still is another revision is asked again until it is ours", async ({ deploy, service, of }) => {
  service.faults.add(
    edit({ server: "agent", path: "/info" }, (info: object) => ({ ...info, host: { host_revision_id: STRANGER } })),
  );
  expect(await deploy()).toMatchObject({ outcome: "deployed" });
  expect(of("agent-waiting").map(({ reason }) => reason)).toEqual([`revision ${STRANGER} still responds`]);
  expect(of("agent-answered")).toHaveLength(1);
});

withRig("what an agent says of itself is reported on one line of bounded length", async ({ deploy, service, of }) => {
  const evil = `a\n::error::injected key-of-the-rig-0123456789 ${"x".repeat(5_000)}`;
  const info = { server: "agent", path: "/info" } as const;
  service.faults.add(edit(info, () => ({ version: evil, host: { host_revision_id: evil } })));
  service.faults.add(edit(info, () => ({ version: evil })));
  await deploy();
  const told = [of("agent-waiting")[0]?.reason, of("agent-answered")[0]?.version];
  for (const text of told) expect(text).toMatch(/^(revision )?a ::error::injected \*\*\* x{50,80}…( still responds)?$/);
});

test("an agent that lacks a graph of the configuration file is asked again until it has it", async () => {
  const { deploy, service, of } = await rig();
  service.faults.add(
    edit(
      { server: "agent", path: "/assistants/search" },
      (found: { graph_id: string }[]) => found.filter(({ graph_id }) => graph_id !== "triage"),
      // Those of the two graphs in the first look, and the second page of what is there of the lost one.
      3,
    ),
  );
  expect(await deploy()).toMatchObject({ outcome: "deployed" });
  expect(of("agent-waiting").map(({ reason }) => reason)).toEqual(["it does not serve triage"]);
});

withRig("an agent without /info is well when it serves the graphs", async ({ deploy, service, of }) => {
  service.faults.add({
    match: { server: "agent", path: "/info" },
    times: Infinity,
    do: { kind: "answer", status: 404 },
  });
  expect(await deploy()).toMatchObject({ outcome: "deployed" });
  expect(of("agent-answered")).toMatchObject([{ version: undefined, graphs: { served: 2, expected: 2 } }]);
});

test(
  "an agent that does not get ready within a minute is a failure that names revision and address",
  { tags: "slow" },
  async () => {
    const { request, service, spool } = await rig({ apiKey: undefined });
    service.faults.add(edit({ server: "agent", path: "/assistants/search" }, () => [], Infinity));
    const clock = new FastClock();
    await using connection = connect({ url: service.url, clock });
    const { signal } = new AbortController();
    const deps = { ...connection, clock, spoolDirectory: spool, signal, emit: () => undefined };
    const patient = request({ timeoutMilliseconds: 86_400_000, pollCapMilliseconds: 2_000 });
    const error: unknown = await deploy(patient, deps).catch((caught: unknown) => caught);
    const [deployment] = service.deployments();
    const [revision, url] = [deployment?.active_revision_id, deployment?.url].map(String);
    expect(error).toBeInstanceOf(VerifyError);
    expect(error).toMatchObject({
      outcome: "failed",
      message: expect.stringMatching(
        new RegExp(`revision ${revision ?? ""} .* ${url ?? ""} .* after 60 s: it does not serve support`),
      ) as string,
    });
  },
);

test("an agent whose assistants never end is asked for a bounded number of them", { tags: "slow" }, async () => {
  const { request, service, deps } = await rig();
  let pages = 0;
  const assistants = () => {
    pages += 1;
    const id = `00000000-0000-4000-8000-${String(pages).padStart(12, "0")}`;
    // A client that has no bound comes to the end of this test, and no further.
    return pages > 3_000 ? [] : [{ assistant_id: id, graph_id: `graph-${String(pages)}` }];
  };
  service.faults.add(edit({ server: "agent", path: "/assistants/search" }, assistants, Infinity));
  const clock = new FastClock();
  const patient = request({ timeoutMilliseconds: 86_400_000, pollCapMilliseconds: 5_000 });
  const error: unknown = await deploy(patient, { ...deps, clock }).catch((caught: unknown) => caught);
  expect(error).toMatchObject({
    code: "VERIFY",
    message: expect.stringMatching(/after 60 s: The list of assistants at \S+ did not end within 20 pages$/) as string,
  });
  // Twenty pages in each of the looks of a minute, which are 23 at most, by chance.
  expect(pages).toBeLessThanOrEqual(20 * 23);
});

withRig("an agent is asked for the graphs that it must serve, and for no other", async ({ deploy, service }) => {
  await deploy();
  const searches = service.requests.filter(({ path }) => path === "/assistants/search");
  expect(searches.map(({ json }) => json)).toEqual(
    ["support", "triage"].map((graph_id) => ({ graph_id, limit: 100, offset: 0 })),
  );
});

const withoutAddress = (times: number) =>
  edit(
    { server: "service", method: "GET", path: DEPLOYMENT },
    (json: { source_config: object }) => ({
      ...json,
      url: null,
      source_config: { ...json.source_config, custom_url: null },
    }),
    times,
  );

test("a service that does not say where the agent answers is a warning, and nobody is asked", async () => {
  const { deploy, service, of } = await rig({}, undefined, new FastClock());
  service.faults.add(withoutAddress(Infinity));
  const result = await deploy({ timeoutMilliseconds: 604_800_000, pollCapMilliseconds: 2_000 });
  expect(result).toMatchObject({ outcome: "deployed", url: undefined });
  expect(of("warning").map(({ message }) => message)).toEqual([expect.stringContaining("the agent was not checked")]);
  expect(service.requests.filter(({ server }) => server === "agent")).toEqual([]);
});

test("an address that the service gives a moment after the first revision is live is waited for", async () => {
  const { deploy, service, of } = await rig();
  service.faults.add(withoutAddress(3));
  const { url } = await deploy();
  expect(url).toBe(service.deployments()[0]?.url);
  expect(of("agent-answered")).toMatchObject([{ url }]);
  expect(of("warning")).toEqual([]);
});

test("a deployment that served before without an address is not asked for one again", async () => {
  const { deploy, service, write, requests } = await rig();
  await deploy();
  await write({ "src/support.py": "graph = 3\n" });
  service.faults.add(withoutAddress(Infinity));
  const before = requests().length;
  expect(await deploy()).toMatchObject({ outcome: "deployed", url: undefined });
  const reads = requests().slice(before);
  // Of the deployment that the list gives, and of the one whose revision is live.
  expect(reads.filter((request) => request === "GET /v2/deployments/ID")).toHaveLength(2);
});

test("the custom URL of the source is the agent's address where the service gives no other", async () => {
  const { deploy, service, of } = await rig();
  service.faults.add(
    edit(
      { server: "service", method: "GET", path: DEPLOYMENT },
      ({ url, ...json }: { url: string; source_config: object }) => ({
        ...json,
        source_config: { ...json.source_config, custom_url: url },
      }),
      Infinity,
    ),
  );
  const { url } = await deploy();
  expect(url).toBe(service.deployments()[0]?.url);
  expect(of("agent-answered")).toMatchObject([{ url }]);
});

withRig("an agent whose name leads to this machine is not asked twice", async ({ deps, request, of }) => {
  const asked = vi.fn(() => Promise.reject(new AddressError("It leads to this machine.")));
  const agentServer = (url: string) => Object.assign(deps.agentServer(url), { ok: asked });
  const error: unknown = await deploy(request(), { ...deps, agentServer }).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: "VERIFY", reasons: ["AGENT_ADDRESS"], cause: { code: "ADDRESS" } });
  expect(asked).toHaveBeenCalledOnce();
  expect(of("agent-waiting")).toEqual([]);
});
