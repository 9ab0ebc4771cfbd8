import { describe, expect, test } from "vitest";
import {
  withService,
  IMAGE_CREATE,
  SOURCE_CREATE,
  UNKNOWN_ID,
  call,
  create,
  deployed,
  patch,
  release,
  settled,
  start,
} from "../caller.ts";
import { uploaded } from "../experiment-caller.ts";
import { factsOf, lineOf, linkIn, textOf } from "../page-cards.ts";
import { run, traced } from "../run-caller.ts";

const pageOf = (deployment: { id: string }, tenant = "any") => `/o/${tenant}/host/deployments/${deployment.id}`;

describe("the page of a deployment", () => {
  withService("shows its address, its revisions and the log of the latest", async (service) => {
    const { id, revisionId, url } = await deployed(service);
    const page = await call(service.url, "GET", pageOf({ id }));
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    for (const part of ["support-agent", id, revisionId, "DEPLOYED", "SKIPPED", url, "Graphs: agent."]) {
      expect(page.text).toContain(part);
    }
    expect(page.text).not.toContain('http-equiv="refresh"');
  });

  withService("loads itself again while a revision is on its way", async (service) => {
    service.faults.nextRevision({ hold: "DEPLOYING" });
    const deployment = await create(service, IMAGE_CREATE);
    expect((await call(service.url, "GET", pageOf(deployment))).text).toContain('http-equiv="refresh"');
  });

  withService("shows foreign text as text", async (service) => {
    const name = `<script>alert(1)</script>"'&`;
    const deployment = await create(service, { ...SOURCE_CREATE, name });
    service.faults.nextRevision({ end: "BUILD_FAILED", message: "<img src=x>", log: ["</pre><b onload=x>"] });
    await settled(service, deployment.id, await release(service, deployment.id));
    for (const path of [pageOf(deployment), "/"]) {
      const { text, headers } = await call(service.url, "GET", path);
      expect(text).not.toMatch(/<script|<img|<b onload/);
      expect(text).toContain("alert(1)");
      expect(headers["content-security-policy"]).toMatch(/default-src 'none'/);
    }
  });

  withService("is linked from the list", async (service) => {
    expect((await call(service.url, "GET", "/")).text).toContain("No deployments yet");
    const { id } = await create(service);
    const path = linkIn((await call(service.url, "GET", "/")).text, SOURCE_CREATE.name);
    expect(path).toContain(id);
    expect((await call(service.url, "GET", path)).status).toBe(200);
  });

  withService("of an unknown deployment answers 404", async (service) => {
    expect((await call(service.url, "GET", pageOf({ id: UNKNOWN_ID }))).status).toBe(404);
  });

  test("says in the list and on its own page what the latest revision came to, and what serves", async () => {
    const service = await start();
    const { id, revisionId } = await deployed(service);
    const lineInList = async () => lineOf((await call(service.url, "GET", "/")).text, SOURCE_CREATE.name);
    expect((await lineInList())[1]).toBe("DEPLOYED");
    service.faults.nextRevision({ end: "BUILD_FAILED" });
    const failed = await settled(service, id, await release(service, id));
    expect((await lineInList())[1]).toBe("BUILD_FAILED an earlier revision serves");
    const { text } = await call(service.url, "GET", pageOf({ id }));
    expect(factsOf(text)["Status"]).toBe("BUILD_FAILED an earlier revision serves");
    expect(lineOf(text, failed.id)[1]).toBe("BUILD_FAILED");
    expect(lineOf(text, revisionId).slice(0, 2)).toEqual([revisionId.slice(0, 8), "DEPLOYED serves"]);
    expect(lineOf(text, revisionId)[3]).toMatch(/^\d+ (?:m?s|min)/);
  });

  withService("refreshes the list while a revision is on its way", async (service) => {
    service.faults.nextRevision({ hold: "DEPLOYING" });
    await create(service, IMAGE_CREATE);
    expect((await call(service.url, "GET", "/")).text).toContain('http-equiv="refresh"');
  });
});

/** Every name of a page in the table of this label, and its position in the list. */
function listedOn(html: string, label: string) {
  const [, table = ""] = new RegExp(`<table[^>]* aria-label="${label}">(.*?)</table>`, "s").exec(html) ?? [];
  const names = [...table.matchAll(/<tr><td><a [^>]*>(.*?)<\/a>/g)].map(([, name = ""]) => textOf(name));
  const [, position = ""] = /<nav aria-label="Pages of [^"]*"><span>(.*?)<\/span>/.exec(html) ?? [];
  return { names, position };
}

describe("a search", () => {
  withService("finds deployments by their names, and says when there is none", async (service) => {
    for (const name of ["billing", "support-de", "support-en"]) await create(service, { ...IMAGE_CREATE, name });
    const found = (await call(service.url, "GET", "/?search=+SUPPORT+")).text;
    expect(listedOn(found, "Deployments")).toEqual({
      names: ["support-en", "support-de"],
      position: "Deployments 1 to 2 of 2",
    });
    expect(textOf((await call(service.url, "GET", "/?search=nothing")).text)).toContain("No deployments.");
  });

  withService("finds revisions by their id, their status or their message", async (service) => {
    const { id, revisionId } = await deployed(service);
    service.faults.nextRevision({ end: "BUILD_FAILED", message: "pip returned 1" });
    const failed = await settled(service, id, await release(service, id));
    const found = async (search: string) =>
      listedOn((await call(service.url, "GET", `${pageOf({ id })}?search=${search}`)).text, "Revisions").names;
    for (const search of ["PIP+returned", "build_failed", failed.id]) {
      expect(await found(search)).toEqual([failed.id.slice(0, 8)]);
    }
    expect(await found(revisionId)).toEqual([revisionId.slice(0, 8)]);
  });
});

describe("a long list", () => {
  test("of deployments has its count and pages, on which each deployment stands once", { tags: "slow" }, async () => {
    const service = await start();
    for (let number = 0; number < 205; number += 1) {
      await create(service, { ...IMAGE_CREATE, name: `agent-${String(number)}` });
    }
    const seen: string[] = [];
    const positions: string[] = [];
    for (let path = "/"; path.startsWith("/");) {
      const { text } = await call(service.url, "GET", path);
      const { names, position } = listedOn(text, "Deployments");
      seen.push(...names);
      positions.push(position);
      path = linkIn(text, "next");
    }
    expect(positions).toEqual([
      "Deployments 1 to 100 of 205",
      "Deployments 101 to 200 of 205",
      "Deployments 201 to 205 of 205",
    ]);
    expect(seen).toEqual(Array.from({ length: 205 }, (_, index) => `agent-${String(204 - index)}`));
  });

  test(
    "of revisions has its count and pages, and the status above it stays that of the latest",
    { tags: "slow" },
    async () => {
      const service = await start();
      const { id } = await create(service, IMAGE_CREATE);
      for (let number = 1; number < 60; number += 1) {
        const image_uri = `registry.example/agent:${String(number)}`;
        expect((await patch(service, id, { source_revision_config: { image_uri } })).status).toBe(200);
      }
      const revisions = service.revisions(id);
      expect(revisions).toHaveLength(60);
      await settled(service, id, revisions[0]?.id ?? "");
      const first = await call(service.url, "GET", pageOf({ id }));
      const second = await call(service.url, "GET", linkIn(first.text, "next"));
      const lists = [first, second].map(({ text }) => listedOn(text, "Revisions"));
      expect(lists.map(({ position }) => position)).toEqual(["Revisions 1 to 50 of 60", "Revisions 51 to 60 of 60"]);
      expect(lists.flatMap(({ names }) => names)).toEqual(revisions.map((revision) => revision.id.slice(0, 8)));
      for (const { text } of [first, second]) {
        expect(factsOf(text)).toMatchObject({ Status: "DEPLOYED", Image: "registry.example/agent:59" });
      }
    },
  );

  test.each([
    ["/", "Deployments 1 to 1 of 1"],
    ["/?offset=7", "No deployments here, 1 in all"],
  ])("has a count when it is short, or when an address leads behind its end: %s", async (path, position) => {
    const service = await start();
    await create(service, IMAGE_CREATE);
    expect(listedOn((await call(service.url, "GET", path)).text, "Deployments").position).toBe(position);
  });

  test.each(["-1", "x", "1.5"])("does not begin at %s", async (offset) => {
    const service = await start();
    const { id } = await create(service, IMAGE_CREATE);
    for (const path of ["/", pageOf({ id })]) {
      expect((await call(service.url, "GET", `${path}?offset=${offset}`)).status).toBe(422);
    }
  });

  withService("counts what it shows while new deployments are not listed yet", async (service) => {
    await create(service, IMAGE_CREATE);
    service.faults.conditions.listLagMilliseconds = 60_000;
    expect(textOf((await call(service.url, "GET", "/")).text)).toContain("No deployments yet.");
  });
});

describe("the page of a revision", () => {
  withService("is linked from its deployment, and has its own log", async (service) => {
    const { id, revisionId } = await deployed(service);
    service.faults.nextRevision({ end: "BUILD_FAILED", message: "pip returned 1", log: ["no such package"] });
    const failed = await settled(service, id, await release(service, id));
    const { text } = await call(service.url, "GET", pageOf({ id }));
    const one = await call(service.url, "GET", linkIn(text, revisionId.slice(0, 8)));
    expect(one).toMatchObject({ status: 200, headers: { "content-type": "text/html; charset=utf-8" } });
    expect(factsOf(one.text)).toMatchObject({
      Status: "DEPLOYED serves",
      Configuration: "graph.json",
      Revision: revisionId,
    });
    expect(one.text).toContain("Graphs: agent.");
    expect(one.text).not.toContain("no such package");
    const other = await call(service.url, "GET", linkIn(text, failed.id.slice(0, 8)));
    expect(factsOf(other.text)).toMatchObject({ Status: "BUILD_FAILED", Message: "pip returned 1" });
    expect(other.text).toContain("no such package");
    expect(linkIn(other.text, SOURCE_CREATE.name)).toContain(id);
  });

  test("shows the newest lines of a long log, oldest first, and says that there are older ones", async () => {
    const service = await start();
    const deployment = await create(service, SOURCE_CREATE);
    const log = Array.from({ length: 250 }, (_, index) => `line ${index}.`);
    service.faults.nextRevision({ end: "BUILD_FAILED", log });
    const { id } = await settled(service, deployment.id, await release(service, deployment.id));
    const { text } = await call(service.url, "GET", `${pageOf(deployment)}/revisions/${id}`);
    const shown = [...text.matchAll(/<li>.*?(line \d+\.)<\/li>/g)].map(([, line]) => line);
    expect(shown).toEqual(log.slice(-shown.length));
    expect(shown.length).toBeGreaterThan(100);
    const [, path = ""] = /Older lines are not shown here\. Read them with GET (\S+)/.exec(textOf(text)) ?? [];
    expect((await call(service.url, "GET", path)).text).toContain(log[0]);
  });

  withService("of another deployment answers 404", async (service) => {
    const { revisionId } = await deployed(service);
    const other = await create(service, IMAGE_CREATE);
    const reply = await call(service.url, "GET", `${pageOf(other)}/revisions/${revisionId}`);
    expect(reply).toMatchObject({ status: 404, json: { detail: `Revision ID ${revisionId} not found.` } });
  });
});

/** A service with something on each of its pages, and the addresses of all, by the part that each belongs to. */
async function everyPage() {
  const service = await start({ experimentDelayMilliseconds: 0 });
  const { id, revisionId, url } = await deployed(service);
  const one = await uploaded(service);
  const other = await uploaded(service, { experiment_name: "second" });
  const root = run(1, { end_time: undefined });
  await traced(service, [root]);
  const resources = (await call(service.url, "GET", "/sessions?reference_free=true")).json as { id: string }[];
  const dataset = `/o/any/datasets/${one.dataset.id}`;
  const pages = {
    Deployments: ["/", pageOf({ id }), `${pageOf({ id })}/revisions/${revisionId}`],
    Datasets: [
      ...["/o/any/datasets", dataset, `${dataset}/compare?selectedSessions=${one.experiment.id}`],
      `${dataset}/compare?selectedSessions=${one.experiment.id},${other.experiment.id}`,
    ],
    Projects: ["/o/any/projects", `/o/any/projects/p/${resources[0]?.id ?? ""}`, `/o/any/traces/${root.id}`],
  };
  return { service, pages, docs: `${url}/docs` };
}

describe("every page", () => {
  test("leads to each part of the service, marks its own, and needs no script", async () => {
    const { service, pages, docs } = await everyPage();
    const links = { Deployments: "/", Datasets: "/o/-/datasets", Projects: "/o/-/projects" };
    const visit = async (part: string, address: string, origin = "") => {
      const { status, text, headers } = await call(address, "GET", "");
      expect([address, status, headers["content-type"]]).toEqual([address, 200, "text/html; charset=utf-8"]);
      const [, navigation = ""] = /<header[^>]*><nav aria-label="[^"]+">(.*?)<\/nav><\/header>/s.exec(text) ?? [];
      for (const [name, path] of Object.entries(links)) expect(linkIn(navigation, name)).toBe(origin + path);
      expect([...navigation.matchAll(/aria-current="true">(.*?)</g)].map(([, name]) => name)).toEqual([part]);
      expect(text.match(/<h1>/g)).toHaveLength(1);
      expect(text.match(/<main /g)).toHaveLength(1);
      expect(text).not.toMatch(/<script|<link|\son\w+=/);
    };
    for (const [part, paths] of Object.entries(pages)) {
      for (const path of paths) await visit(part, service.url + path);
    }
    await visit("Deployments", docs, service.url);
    for (const path of Object.values(links)) expect((await call(service.url, "GET", path)).status).toBe(200);
  });

  test("writes each time in one form, with the exact one for machines", async () => {
    const { service, pages } = await everyPage();
    for (const path of Object.values(pages).flat()) {
      const { text } = await call(service.url, "GET", path);
      const times = [...text.matchAll(/<time datetime="([^"]*)"[^>]*>(.*?)<\/time>/g)];
      expect([path, times.length > 0]).toEqual([path, true]);
      for (const [, machine = "", person = ""] of times) {
        expect(machine).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/);
        expect(person).toBe(`${machine.slice(0, 10)} ${machine.slice(11, 19)} UTC`);
      }
      expect(textOf(text.replace(/<time.*?<\/time>/g, ""))).not.toMatch(/\d{4}-\d\d-\d\d[T ]\d\d:/);
    }
  });
});

describe("what is not there", () => {
  const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

  test.each([
    ["/nothing/a&b'c", 404, "No page at /nothing/a&b'c."],
    [pageOf({ id: UNKNOWN_ID }), 404, `Deployment ID ${UNKNOWN_ID} not found.`],
    [pageOf({ id: "x" }), 422, "path.deployment_id: Input should be a valid UUID"],
    [`/o/any/traces/${UNKNOWN_ID}`, 404, `Trace ID ${UNKNOWN_ID} not found.`],
  ])("is a page with the navigation for a browser at %s", async (path, status, sentence) => {
    const service = await start();
    const reply = await call(service.url, "GET", path, { headers: BROWSER });
    expect(reply).toMatchObject({ status, headers: { "content-type": "text/html; charset=utf-8" } });
    expect(reply.headers["content-security-policy"]).toMatch(/default-src 'none'/);
    expect(textOf(reply.text)).toContain(sentence);
    expect(reply.text).toMatch(new RegExp(`<h1>${status} `));
    expect(reply.text).not.toContain("a&b");
    expect(linkIn(reply.text, "Datasets")).toBe("/o/-/datasets");
  });

  test.each(["application/json", "*/*"])("is JSON for a client that asks for %s", async (accept) => {
    const service = await start();
    const reply = await call(service.url, "GET", "/nothing", { headers: { accept } });
    expect(reply).toMatchObject({
      status: 404,
      headers: { "content-type": "application/json" },
      json: { detail: "Not Found" },
    });
  });

  withService("is JSON for whatever sends a body", async (service) => {
    const reply = await call(service.url, "POST", "/nothing", { json: {}, headers: BROWSER });
    expect(reply).toMatchObject({ status: 404, json: { detail: "Not Found" } });
  });

  test("asks a browser for the key as the password of a login", async () => {
    const service = await start({ apiKey: "key-1" });
    expect(await call(service.url, "GET", "/o/any/datasets", { headers: BROWSER })).toMatchObject({
      status: 401,
      headers: {
        "content-type": "text/html; charset=utf-8",
        "www-authenticate": expect.stringContaining("Basic"),
      },
    });
  });
});
