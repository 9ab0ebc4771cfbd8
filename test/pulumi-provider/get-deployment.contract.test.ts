import { expect, onTestFinished, test } from "vitest";
import { findDeploymentInfo, type DeploymentQuery } from "../../pulumi-provider/get-deployment.ts";
import { connect } from "../../src/index.ts";
import { startLocalService } from "../../src/local/index.ts";

async function world() {
  const service = await startLocalService({ walkMilliseconds: 1 });
  const { controlPlane, close } = connect({ url: service.url });
  onTestFinished(async () => {
    await close();
    await service.close();
  });
  const { deployment } = await controlPlane.create({
    name: "support",
    source: "external_docker",
    source_config: {},
    source_revision_config: { image_uri: "registry/agent:1" },
    secrets: [],
  });
  const find = async (query: object) =>
    await findDeploymentInfo({ controlPlaneUrl: service.url, ...query } as unknown as DeploymentQuery, {
      env: () => undefined,
      config: () => undefined,
    });
  return { service, find, id: deployment.id };
}

test("a deployment is found by its id or its name, where the other one is undefined or left out", async () => {
  const { find, id } = await world();
  for (const query of [{ id }, { id, name: undefined }, { name: "support" }, { name: "support", id: undefined }]) {
    expect(await find(query)).toMatchObject({ id, name: "support" });
  }
});

test.each<[object, string]>([
  [{ id: "" }, "`id` must not be empty"],
  [{ id: "", name: "support" }, "`id` must not be empty"],
  [{ name: " " }, "`name` must not be empty"],
  [{}, "needs either id or name"],
  [{ id: undefined }, "needs either id or name"],
])("a query of %j is an error that names the argument, and nothing is sent", async (query, sentence) => {
  const { service, find } = await world();
  const sent = service.requests.length;
  await expect(find(query)).rejects.toThrow(sentence);
  expect(service.requests).toHaveLength(sent);
});
