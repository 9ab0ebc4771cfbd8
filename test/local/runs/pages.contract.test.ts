import { describe, expect, test } from "vitest";
import type { LocalService } from "../../../src/local/index.ts";
import { valueText } from "../../../src/local/runs/cells.ts";
import { withService, UNKNOWN_ID, call, start } from "../caller.ts";
import { factsOf, lineOf, linkIn, textOf } from "../page-cards.ts";
import { START_MS, addition, listOf, run, runId, traced, type Fields } from "../run-caller.ts";

const HOSTILE = `</pre></summary></details><script>alert(1)</script><img src=x onerror=alert(2)>"'&\u202e`;

async function page(service: LocalService, path: string): Promise<string> {
  const { status, text, headers } = await call(service.url, "GET", path);
  expect([path, status, headers["content-type"]]).toEqual([path, 200, "text/html; charset=utf-8"]);
  return text;
}

/** The runs of a trace's page, from the top. */
function itemsOf(html: string) {
  return [
    ...html.matchAll(
      /<details class="run" id="run-([^"]+)">\s*<summary>(.*?)<span class="track".*?<span class="bar ?(\w*)" style="left:([\d.]+)%;width:([\d.]+)%">.*?<\/summary>\s*<dl>(.*?)<\/dl>/gs,
    ),
  ].map(([, id, head = "", kind, left, width, fields = ""]) => ({
    id,
    head: textOf(head),
    depth: Number(/--depth:(\d+)/.exec(head)?.[1]),
    bar: [kind, Number(left), Number(width)],
    fields: textOf(fields),
  }));
}

/** Follows a link of a page. */
function follow(service: LocalService, html: string, name: string): Promise<string> {
  return page(service, linkIn(html, name));
}

/** A deploy that took a hundred seconds, as a trace. */
async function deploy(service: LocalService) {
  const at = (number: number, from: number, to: number | undefined, change: Fields = {}) =>
    run(
      number,
      { start_time: START_MS + from, ...(to === undefined ? {} : { end_time: START_MS + to }), ...change },
      number === 1 ? undefined : root,
    );
  const root = run(1, {
    name: "deploy support-agent",
    outputs: { outcome: "live", statuses: 1 },
    start_time: START_MS,
    end_time: START_MS + 100_000,
  });
  const archive = at(2, 0, 10_000, {
    name: "archive",
    extra: { metadata: { archive_bytes: 4_213_456, took_ms: 1500, note: "all files" }, runtime: { sdk: "x" } },
  });
  const build = at(3, 10_000, 60_000, {
    name: "build",
    outputs: {
      bytes: 2000,
      statuses: [{ status: "BUILDING", seconds: 1 }, { status: "DEPLOYED" }],
      log: [1, { a: 2 }],
    },
  });
  const verify = at(4, 60_000, 90_000, { name: "verify", error: "It did not answer.\n  at line 7" });
  const later = at(5, 90_000, undefined, {
    name: "later",
    run_type: "llm",
    inputs: { q: "é" },
    events: [{ name: "e" }],
  });
  await traced(service, [
    root,
    archive,
    build,
    verify,
    later,
    run(6, { name: "deeper", end_time: START_MS + 6 }, later),
  ]);
  return root;
}

describe("the pages of traces", () => {
  withService("lead from the first page to the projects, a project and a trace", async (service) => {
    expect(textOf(await page(service, service.projectsUrl.slice(service.url.length)))).toContain("No projects yet");
    await deploy(service);
    const projects = await follow(service, await page(service, "/"), "Projects");
    expect(lineOf(projects, ">project<")).toEqual(["project", "1", "6", "2026-03-04 05:00:00 UTC"]);
    expect(textOf(projects)).toContain("POST /runs/multipart creates and updates runs, as a form");
    const project = await follow(service, projects, "project");
    expect(lineOf(project, "deploy support-agent")).toEqual([
      ...["deploy support-agent", "done", "1 min 40 s", "1", "6", "2026-03-04 05:00:00 UTC"],
    ]);
    const trace = await follow(service, project, "deploy support-agent");
    expect(trace).toContain("<h1>deploy support-agent</h1>");
    expect(await follow(service, trace, "project")).toBe(project);
  });

  withService("show a trace as a tree beside a time line", async (service) => {
    const root = await deploy(service);
    const html = await page(service, `/o/any/traces/${root.id}`);
    expect(factsOf(html)).toEqual({
      Status: "done",
      Took: "1 min 40 s",
      Runs: "6",
      "Failed runs": "1",
      "Still running": "1",
      Started: "2026-03-04 05:00:00 UTC",
      Trace: root.id,
    });
    const items = itemsOf(html);
    expect(items.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6].map(runId));
    expect(items.map(({ depth }) => depth)).toEqual([0, 1, 1, 1, 1, 2]);
    expect(items.map(({ head }) => head)).toEqual([
      "deploy support-agent chain live 1 min 40 s",
      "archive chain 4.2 MB 10 s",
      "build chain 2.0 kB BUILDING → DEPLOYED 50 s",
      "verify chain failed 30 s",
      "later llm running",
      "deeper chain 0 ms",
    ]);
    expect(items.map(({ bar }) => bar)).toEqual([
      ["", 0, 100],
      ["", 0, 10],
      ["", 10, 50],
      ["failed", 60, 30],
      ["open", 90, 10],
      ["", 0.01, 0.4],
    ]);
  });

  withService("show all that is known of a run", async (service) => {
    const root = await deploy(service);
    const [, archive, build, verify, later] = itemsOf(await page(service, `/o/any/traces/${root.id}`));
    expect(archive?.fields).toContain("Metadata archive_bytes: 4.2 MB (4213456 bytes) took_ms: 1.5 s note: all files");
    expect(archive?.fields).toContain('Extra runtime: {"sdk":"x"}');
    expect(build?.fields).toMatch(/Outputs bytes: 2.0 kB \(2000 bytes\) statuses: .* log: \[1,\{"a":2\}\]/);
    expect(verify?.fields).toContain("Error It did not answer. at line 7");
    expect(later?.fields).toContain('Inputs q: é Events [{"name":"e"}]');
    expect(later?.fields).toContain(`Run ${runId(5)}`);
  });

  withService("find projects and traces by a part of their names", async (service) => {
    await traced(service, [run(1, { name: "Refund" }), run(2, { name: "greeting" }), run(3, { name: "" })]);
    await traced(service, [run(4, { session_name: "other" })]);
    const projects = await page(service, "/o/any/projects?search=PROJ");
    expect(textOf(projects)).toContain("Projects 1 to 1 of 1");
    const path = linkIn(projects, "project");
    for (const [search, line] of [
      ["refu", "Refund"],
      [runId(3), runId(3)],
    ] as const) {
      const found = await page(service, `${path}?search=${search}`);
      expect(textOf(found)).toContain("Traces 1 to 1 of 1");
      expect(lineOf(found, `>${line}<`)).not.toEqual([]);
    }
    expect(textOf(await page(service, `${path}?search=nothing`))).toContain("No traces.");
  });

  withService("show foreign text as text", async (service) => {
    const hostile = { [HOSTILE]: HOSTILE };
    const name = HOSTILE.slice(0, 128);
    const root = run(1, {
      name,
      session_name: HOSTILE,
      ...{ inputs: hostile, outputs: { status: HOSTILE }, error: HOSTILE, events: [hostile], tags: [HOSTILE] },
      ...{ extra: { metadata: { ...hostile, status: HOSTILE }, [HOSTILE]: HOSTILE }, [HOSTILE]: hostile },
    });
    await traced(service, [root]);
    const projects = await page(service, "/o/any/projects");
    const project = await follow(service, projects, HOSTILE);
    const trace = await follow(service, project, name);
    for (const html of [projects, project, trace]) {
      expect(html).not.toMatch(/<script|<img|<\/details><script/);
      expect(html).toContain("alert(1)");
    }
    const [item] = itemsOf(trace);
    expect(item?.fields.match(/<script>alert\(1\)/g)?.length).toBeGreaterThan(8);
  });

  test.each([
    ...["a/../../b", "..", ".", "", "a?b#c&d=e", "%2e%2e%2f%zz", "CON 7", "1", HOSTILE],
    `\u0000\n${HOSTILE}`,
    "é".repeat(40_000),
  ])("lead to a project and its traces whatever its id is: %.24s", async (id) => {
    const service = await start();
    await traced(service, [
      run(1, { session_name: "another" }),
      run(2, { session_id: id, session_name: undefined, name: "in it", run_type: HOSTILE }),
    ]);
    const { resources } = await listOf(service, "/sessions");
    const path = String(resources.find((one) => one["id"] === id)?.["app_path"]);
    const projects = await page(service, "/o/any/projects");
    expect(projects).toContain(`href="${path}"`);
    const project = await page(service, path);
    const trace = await follow(service, project, "in it");
    expect(trace).toContain(`href="${path}"`);
    for (const html of [projects, project, trace]) {
      expect(html).not.toMatch(/<script|<img|<\/details><script/);
      for (const [, href = ""] of html.matchAll(/href="([^"]*)"/g)) expect(href.length).toBeLessThan(200);
    }
    const read = (await call(service.url, "GET", `/runs/${runId(2)}`)).json as Fields;
    expect(read).toMatchObject({ session_id: id, run_type: HOSTILE });
    expect(await page(service, String(read["app_path"]))).toBe(trace);
  });

  withService("show a trace whose root has not arrived, and one whose times are all the same", async (service) => {
    const root = run(1);
    await traced(service, [run(2, { end_time: undefined }, root)]);
    const html = await page(service, `/o/any/traces/${root.id}`);
    expect(factsOf(html)["Status"]).toBe("its root run has not arrived yet");
    expect(itemsOf(html)).toMatchObject([{ head: "run 2 chain running", bar: ["open", 0, 100] }]);
    const resources = (await call(service.url, "GET", "/sessions?reference_free=true")).json as { id: string }[];
    const project = await page(service, `/o/any/projects/p/${resources[0]?.id ?? ""}`);
    expect(textOf(project)).toContain("No traces yet");
  });

  withService("stay small for a trace that is large, and count all of it", { tags: "slow" }, async (service) => {
    const root = run(0);
    const children = Array.from({ length: 1_200 }, (_, index) => run(index + 1, {}, root));
    await traced(service, [root, ...children], [addition(root, { end_time: START_MS + 5000 })]);
    const html = await page(service, `/o/any/traces/${root.id}`);
    expect(itemsOf(html)).toHaveLength(500);
    expect(textOf(html)).toContain("Runs 1 to 500 of 1201");
    const last = await follow(service, html, "last");
    expect(itemsOf(last).map(({ id }) => id)).toEqual(children.slice(999).map(({ id }) => id));
    expect(textOf(last)).toContain("Runs 1001 to 1201 of 1201");
  });

  test("leave out texts that are too much for one page, and say where they are", { tags: "slow" }, async () => {
    const service = await start();
    const root = run(0);
    const text = "x".repeat(25_000);
    const texts = Object.fromEntries(Array.from({ length: 3 }, (_, index) => [`t${index}`, text]));
    const children = Array.from({ length: 250 }, (_, index) =>
      run(index + 1, { inputs: texts, ...{ outputs: texts } }, root),
    );
    for (let at = 0; at < children.length; at += 50) await traced(service, children.slice(at, at + 50));
    const html = await page(service, `/o/any/traces/${root.id}`);
    expect(html.length).toBeLessThan(5_000_000);
    const items = itemsOf(html);
    expect(items[0]?.fields).toContain("more characters");
    expect(items.at(-1)?.fields).toBe(`Content Too large for this page: GET /runs/${items.at(-1)?.id ?? ""}`);
    expect(textOf(html)).toContain("next");
  });

  test.each([
    [`/o/any/projects/p/${UNKNOWN_ID}`, `Project ID ${UNKNOWN_ID} not found.`],
    [`/o/any/projects/p/${UNKNOWN_ID}/r/${UNKNOWN_ID}`, `Trace ID ${UNKNOWN_ID} not found.`],
    [`/o/any/traces/${UNKNOWN_ID}`, `Trace ID ${UNKNOWN_ID} not found.`],
  ])("answer 404 at %s", async (path, detail) => {
    const service = await start();
    expect(await call(service.url, "GET", path)).toMatchObject({ status: 404, json: { detail } });
  });

  test("take the key of the service as the password of a login", async () => {
    const service = await start({ apiKey: "key-0123" });
    const authorization = `Basic ${Buffer.from("me:key-0123").toString("base64")}`;
    expect((await call(service.projectsUrl, "GET", "")).status).toBe(401);
    expect((await call(service.projectsUrl, "GET", "", { headers: { authorization } })).status).toBe(200);
  });
});

test.each([
  ["bytes", "12", "12 bytes"],
  ["bytes", '"many"', "many"],
  ["kilobytes", "7000", "7000"],
  ["wait_seconds", "90", "1 min 30 s"],
  ["durationMilliseconds", "90", "90 ms"],
  ["count_ms", "-1", "-1"],
  ["status", "null", "null"],
])("a person reads %s %s as %s", (name, json, text) => {
  expect(valueText(name, json)).toBe(text);
});
