import { expect, test } from "vitest";
import { start } from "../local/caller.ts";
import { linkIn, textOf } from "../local/page-cards.ts";
import { START_MS, run, traced } from "../local/run-caller.ts";
import { needsChromium, startBrowser } from "./browser.ts";
import { HOSTILE, HOSTILE_TEXTS } from "./hostile.ts";
import { look } from "./look.ts";

needsChromium();

test("a trace in a browser is reached from the first page, shows its runs, and runs no foreign text", async () => {
  const service = await start();
  const name = HOSTILE_TEXTS[0].slice(0, 128);
  const hostile = { [HOSTILE]: [{ [HOSTILE]: HOSTILE }] };
  const root = run(1, {
    name,
    session_name: HOSTILE,
    end_time: START_MS + 10_000,
    extra: { metadata: { ...hostile, status: HOSTILE }, ...hostile },
    ...hostile,
  });
  const children = HOSTILE_TEXTS.map((text, index) =>
    run(
      index + 2,
      {
        ...{ name: text.slice(0, 128), error: text, inputs: hostile, outputs: { [text]: text }, events: [hostile] },
        ...{ session_name: HOSTILE, end_time: START_MS + 5_000 },
      },
      root,
    ),
  );
  await traced(service, [root, ...children]);
  const browser = await startBrowser();
  const first = await look(browser, service, `${service.url}/`, /^Deployments$/);
  const follow = (html: string, link: string, title: RegExp) =>
    look(browser, service, service.url + linkIn(html, link), title);
  const projects = await follow(first, "Projects", /^Projects$/);
  const project = await follow(projects, `${HOSTILE.slice(0, 120)}…`, /^&lt;script&gt;/);
  const trace = await follow(project, name, /^&lt;script&gt;/);
  expect(trace.match(/<details class="run"/g)).toHaveLength(1 + HOSTILE_TEXTS.length);
  expect(trace.match(/<span class="bar failed"/g)).toHaveLength(HOSTILE_TEXTS.length);
  expect(textOf(trace)).toContain(`Error ${HOSTILE_TEXTS[1]}`);
});
