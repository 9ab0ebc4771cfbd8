import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeHtml, link } from "../../../src/local/html.ts";
import { IMAGE_CREATE, SOURCE_CREATE, UNKNOWN_ID, call, create, deployed, release, settled, start } from "./caller.ts";

const pageOf = (deployment: { id: string }, tenant = "any") => `/o/${tenant}/host/deployments/${deployment.id}`;

describe("the page of a deployment", () => {
  test("shows its address, its revisions and the log of the latest", async () => {
    const service = await start();
    const { id, revisionId, url } = await deployed(service);
    const page = await call(service.url, "GET", pageOf({ id }));
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    for (const part of ["support-agent", id, revisionId, "DEPLOYED", "SKIPPED", url, "Graphs: agent."]) {
      expect(page.text).toContain(part);
    }
    expect(page.text).not.toContain('http-equiv="refresh"');
  });

  test("loads itself again while a revision is on its way", async () => {
    const service = await start();
    service.faults.nextRevision({ hold: "DEPLOYING" });
    const deployment = await create(service, IMAGE_CREATE);
    expect((await call(service.url, "GET", pageOf(deployment))).text).toContain('http-equiv="refresh"');
  });

  test("shows foreign text as text", async () => {
    const service = await start();
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

  test("is linked from the list", async () => {
    const service = await start();
    expect((await call(service.url, "GET", "/")).text).toContain("There is no deployment yet");
    const { id } = await create(service);
    const path = /href="(\/o\/[^"]+)"/.exec((await call(service.url, "GET", "/")).text)?.[1] ?? "";
    expect(path).toContain(id);
    expect((await call(service.url, "GET", path)).status).toBe(200);
  });

  test("of an unknown deployment answers 404", async () => {
    const service = await start();
    expect((await call(service.url, "GET", pageOf({ id: UNKNOWN_ID }))).status).toBe(404);
  });
});

test("escaped text holds no character that HTML gives a meaning, and reads the same", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme" }).map((text) => `${text}<fc.property(fc.string({ unit: "binary" }), (text)>"`),
      (text) => {
        const escaped = escapeHtml(text);
        expect(escaped).not.toMatch(/[<>"']|&(?!#\d+;)/);
        expect(escaped.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))).toBe(text);
      },
    ),
    { numRuns: 300 },
  );
});

test.each(["javascript:alert(1)", "//evil.example", "data:text/html,x", "JAVASCRIPT:x"])(
  "%s becomes no link",
  (href) => {
    expect(link(href, "text")).toBe("text");
  },
);
