import { testWith } from "../test-with.ts";
import { describe, expect, test } from "vitest";
import { uploadUrlOnlyUnderV2 } from "../../src/local/index.ts";
import { startFaultServer, type FaultServer } from "../wire/fault-server.ts";
import { status } from "../wire/faults.ts";
import { API_KEY, clientOf, freshName, sourceDeployment, useWorld } from "./rig.ts";

const world = useWorld();
const twin = { method: "POST", path: /^\/v2\/deployments\/[^/]+\/upload-url$/ };
const own = { method: "POST", path: /^\/deployments\/[^/]+\/upload-url$/ };
const ASK = { method: "POST", path: /\/upload-url$/ };
const WITH_FIELD = { supports_upload_headers: true };
const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

async function uploading() {
  const it = await world();
  const client = clientOf(it.front);
  const { deployment } = await client.plane.create(sourceDeployment(freshName()));
  return { ...it, ...client, id: deployment.id };
}
const withUploading = testWith(uploading);

/** The bodies with which an address was asked for. */
const asked = ({ requests }: Pick<FaultServer, "requests">): readonly unknown[] =>
  requests.filter(({ path }) => path.endsWith("/upload-url")).map(({ body }) => JSON.parse(body.toString()) as unknown);

test("an empty path from the service is an error of its response, and blames no setting", async () => {
  const { front, plane, id } = await uploading();
  front.script(ASK, status(200, { body: { upload_url: "https://store.example/x", object_path: "" } }), 9);
  await expect(plane.uploadUrl(id)).rejects.toMatchObject({
    code: "INVALID_RESPONSE",
    message: expect.stringContaining("object_path: must not be empty"),
  });
});

describe("where the address is asked for", () => {
  withUploading("is the path of the contract, and no other while that answers", async ({ front, plane, id }) => {
    await plane.uploadUrl(id);
    await plane.uploadUrl(id);
    expect([front.count(own), front.count(twin)]).toEqual([2, 0]);
    expect(JSON.parse(front.requests.at(-1)?.body.toString() ?? "")).toEqual({ supports_upload_headers: true });
  });

  test.each([404, 405] as const)("is the twin after a %i, which is remembered", async (code) => {
    const { service, front, plane, id } = await uploading();
    service.faults.add(uploadUrlOnlyUnderV2(code));
    await plane.uploadUrl(id);
    await plane.uploadUrl(id);
    expect([front.count(own), front.count(twin)]).toEqual([1, 2]);
  });

  withUploading("is the twin when a router quotes the path that it does not know", async ({ front, plane, id }) => {
    const body = { detail: `Cannot POST /deployments/${id}/upload-url` };
    front.script(own, status(404, { body }));
    await expect(plane.uploadUrl(id)).resolves.toHaveProperty("object_path");
  });

  withUploading("is not the twin when the 404 is about the deployment", async ({ front, plane }) => {
    const unknown = "11111111-2222-4333-8444-555555555555";
    const error = await caught(plane.uploadUrl(unknown));
    expect(error).toMatchObject({ status: 404, message: expect.stringContaining(unknown) });
    expect([front.count(own), front.count(twin)]).toEqual([1, 0]);
  });

  withUploading("is forgotten again when both paths fail", async ({ front, plane, id }) => {
    front.script(ASK, status(404), 2);
    expect(await caught(plane.uploadUrl(id))).toMatchObject({ status: 404 });
    await plane.uploadUrl(id);
    expect([front.count(own), front.count(twin)]).toEqual([2, 1]);
  });
});

describe("a service that rejects a field that it does not know", () => {
  test.each([400, 422])("with %i is asked again without it, and from then on only so", async (code) => {
    const { front, plane, id } = await uploading();
    const detail = [{ loc: ["body", "supports_upload_headers"], msg: "Extra inputs are not permitted", type: "x" }];
    front.script(ASK, status(code, { body: { detail } }));
    await plane.uploadUrl(id);
    await plane.uploadUrl(id);
    expect(asked(front)).toEqual([WITH_FIELD, {}, {}]);
  });

  withUploading("is asked only with it where it accepts it", async ({ front, plane, id }) => {
    await plane.uploadUrl(id);
    front.script(ASK, status(422));
    expect(await caught(plane.uploadUrl(id))).toMatchObject({ status: 422 });
    expect(asked(front)).toEqual([WITH_FIELD, WITH_FIELD]);
  });

  withUploading("may have another reason, which is then shown", async ({ front, plane, id }) => {
    front.script(ASK, status(422, { body: { detail: "supports_upload_headers is unknown" } }));
    front.script(ASK, status(422, { body: { detail: "no store is configured" } }));
    expect(await caught(plane.uploadUrl(id))).toMatchObject({ details: ["no store is configured"] });
    expect(front.count(ASK)).toBe(2);
  });
});

describe("an address that is relative", () => {
  async function uploadTo(uploadUrl: string, prefix = "/api-host") {
    const { tarball } = await world();
    const store = await startFaultServer(() => ({ status: 200 }));
    const target = { upload_url: uploadUrl.replace("STORE", new URL(store.url).host), object_path: "sources/1.tar.gz" };
    const front = await startFaultServer(({ method }) => ({ status: 200, body: method === "POST" ? target : {} }));
    const client = clientOf({ url: front.url + prefix });
    const result = await client.plane.upload("d-1", tarball).catch((error: unknown) => error);
    const puts = [...front.requests, ...store.requests].filter(({ method }) => method === "PUT");
    return { result, front, puts, printed: client.http.redactor.text(puts.map((put) => put.target).join(" ")) };
  }

  test.each([
    ["/objects/1?signature=of-this-upload", "/objects/1?signature=of-this-upload"],
    ["objects/1?signature=of-this-upload", "/api-host/objects/1?signature=of-this-upload"],
    ["./objects/1?signature=of-this-upload", "/api-host/objects/1?signature=of-this-upload"],
    ["?signature=of-this-upload", "/api-host/?signature=of-this-upload"],
  ])("%s is resolved against the address of the control plane, and secret as any other", async (given, target) => {
    const { result, front, puts, printed } = await uploadTo(given);
    expect(result).toBe("sources/1.tar.gz");
    expect(puts.map((put) => put.target)).toEqual([target]);
    expect(front.requests).toHaveLength(2);
    expect(printed).not.toContain("of-this-upload");
  });

  test("gets no credential of ours, although it is at the same host", async () => {
    const { puts } = await uploadTo("/objects/1");
    expect(puts).toHaveLength(1);
    expect(JSON.stringify(puts.map(({ headers }) => headers))).not.toMatch(
      new RegExp(`${API_KEY}|tenant|authorization`),
    );
  });

  test("may name another host", async () => {
    const { result, front, puts } = await uploadTo("//STORE/objects/1");
    expect([result, puts.length, front.count({ method: "PUT" })]).toEqual(["sources/1.tar.gz", 1, 0]);
  });

  test.each(["store.example/objects/1", "store.example:9000", "", " "])(
    "%j is none, and the file stays here",
    async (given) => {
      const { result, puts } = await uploadTo(given);
      expect(result).toMatchObject({ code: "ADDRESS" });
      expect(puts).toEqual([]);
    },
  );
});
