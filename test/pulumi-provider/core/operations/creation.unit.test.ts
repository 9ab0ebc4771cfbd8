import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Journal } from "../../../../pulumi-provider/core/operations/journal.ts";
import { create } from "../../../../pulumi-provider/core/operations/update.ts";
import { sentencesOf } from "../../../../pulumi-provider/core/advice.ts";
import type { DeployEvent } from "../../../../src/deployment/events.ts";
import { type FaultRule, noList } from "../../../../src/local/index.ts";
import { temporaryFolder } from "../../../source/temporary-tree.ts";
import { IMAGE } from "../../context.ts";
import { withRig, rig } from "../../rig.ts";

const POST = { method: "POST", path: /\/v2\/deployments$/ };

/** A service without a list, and a journal that outlives operations. */
async function steps() {
  const rest = await rig();
  rest.service.faults.add(noList());
  const file = join(temporaryFolder(), "entry.json");
  const creates = () => rest.service.requests.filter(({ method, path }) => method === "POST" && POST.path.test(path));
  return { ...rest, file, creates };
}

describe("at a service without a list", () => {
  test("the state is the record: three runs make one deployment", async () => {
    const { service, warnings, ...run } = await steps();
    const first = await run.create(IMAGE);
    const second = await run.update(first, { ...IMAGE, imageUri: "registry/agent:2" });
    await run.update(second, { ...IMAGE, imageUri: "registry/agent:3" });
    expect(service.deployments().map(({ id }) => id)).toEqual([first.id]);
    expect(service.revisions(first.id)).toHaveLength(3);
    expect(run.creates()).toHaveLength(1);
    expect(warnings).toContainEqual(expect.stringContaining(`Deployment ${first.id} was created`));
  });

  test("a deployment that may be adopted is not created, because it may exist", async () => {
    const { create: run, creates } = await steps();
    await expect(run({ ...IMAGE, adopt: "ifExists" })).rejects.toMatchObject({ reasons: ["EXISTENCE_UNKNOWN"] });
    expect(creates()).toEqual([]);
  });

  test("a create that was ended by force is taken up by the id of its deployment", async () => {
    const { checked, operation, file, service, creates } = await steps();
    const inputs = await checked(IMAGE);
    const first = await create(inputs, { ...operation, journal: new Journal(file, () => false) });
    expect(await create(inputs, { ...operation, journal: new Journal(file) })).toMatchObject({ id: first.id });
    expect(service.deployments()).toHaveLength(1);
    expect(creates()).toHaveLength(1);
  });

  test("a create without an answer is not repeated by the next run, which says what to look for", async () => {
    const { checked, operation, file, service, creates } = await steps();
    const inputs = await checked(IMAGE);
    const up = () => create(inputs, { ...operation, journal: new Journal(file) });
    service.faults.add({ match: POST, do: { kind: "reset", when: "after" } });
    await expect(up()).rejects.toMatchObject({ code: "CREATE_UNCERTAIN", reasons: ["LIST_UNSUPPORTED"] });
    const error: unknown = await up().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "UNFINISHED_CREATE" });
    expect(sentencesOf(error as Error)).toMatch(
      /import the deployment by its id if it exists\. If it does not, run `pulumi up` again/,
    );
    expect(creates()).toHaveLength(1);
    expect(service.deployments()).toHaveLength(1);
    // The user has decided: the third run creates, and here the service knows the name.
    await expect(up()).rejects.toMatchObject({ code: "NAME_TAKEN" });
    expect(creates()).toHaveLength(2);
  });
});

const LIST = { method: "GET", path: /\/v2\/deployments$/ };
const PAGE = { "content-type": "text/html" };

const NAMELESS = { resources: [{ id: "0f8fad5b-d9cb-469f-a165-70867728950e" }] };

describe.each<[string, FaultRule["do"]]>([
  ["400", { kind: "answer", status: 400, body: { detail: "name_contains is not known" } }],
  ["422", { kind: "answer", status: 422, body: { detail: "name_contains is not known" } }],
  ["a page", { kind: "answer", status: 200, body: "<!doctype html><title>Sign in</title>", headers: PAGE }],
  ["deployments without names", { kind: "answer", status: 200, body: NAMELESS }],
])("at a service whose list answers with %s", (_what, answer) => {
  const undecided = { match: LIST, do: answer, times: Number.POSITIVE_INFINITY };

  withRig("two runs create nothing, and say why before the first write", async ({ create: run, service }) => {
    service.faults.add(undecided);
    for (let up = 1; up <= 2; up += 1) {
      const error: unknown = await run(IMAGE).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: "PLAN", reasons: ["EXISTENCE_UNKNOWN"] });
      expect(sentencesOf(error as Error)).toMatch(/was not created, because it may exist\..*`pulumi import`/);
      expect(sentencesOf(error as Error)).not.toContain("adopt");
    }
    expect(service.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(service.deployments()).toEqual([]);
  });

  test("a create without an answer stays written down until the list can be read", async () => {
    const { checked, operation, service } = await rig();
    const inputs = await checked(IMAGE);
    const file = join(temporaryFolder(), "entry.json");
    const up = () => create(inputs, { ...operation, journal: new Journal(file) });
    service.faults.add({ match: POST, do: { kind: "reset", when: "after" } });
    // The list can be read before the create, and no longer after it.
    const emit = ({ type }: DeployEvent) => {
      if (type === "deployment-new") service.faults.add(undecided);
    };
    const first = create(inputs, { ...operation, deps: { ...operation.deps, emit }, journal: new Journal(file) });
    await expect(first).rejects.toMatchObject({ code: "CREATE_UNCERTAIN" });
    for (let run = 1; run <= 2; run += 1) await expect(up()).rejects.toMatchObject({ reasons: ["EXISTENCE_UNKNOWN"] });
    service.faults.clear();
    expect(service.deployments()).toMatchObject([{ id: (await up()).id }]);
  });
});

test("where a list shows that there is none, a create without an answer is found and not repeated", async () => {
  const { create: run, service } = await rig();
  service.faults.add({ match: POST, do: { kind: "reset", when: "after" } });
  const { id } = await run(IMAGE);
  expect(service.deployments().map((each) => each.id)).toEqual([id]);
});
