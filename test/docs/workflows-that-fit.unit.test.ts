import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { readmeWorkflows } from "../../scripts/readme-workflows.ts";
import { projectRoot } from "../../scripts/command.ts";
import { exampleWorkflows } from "./example-workflows.ts";

const Step = z.looseObject({
  uses: z.string().default(""),
  run: z.string().default(""),
  if: z.string().default(""),
  with: z.record(z.string(), z.unknown()).default({}),
});
const Workflow = z.looseObject({
  name: z.string().default(""),
  on: z.unknown(),
  jobs: z.record(z.string(), z.looseObject({ steps: z.array(Step) })),
});
const Triggered = z.object({ workflow_run: z.object({ workflows: z.array(z.string()) }) });

interface Named {
  readonly file: string;
  readonly name: string;
  readonly on: unknown;
  readonly steps: readonly z.infer<typeof Step>[];
}

function readWorkflow(file: string, text: string): Named {
  const { name, on, jobs } = Workflow.parse(parse(text));
  return { file, name, on, steps: Object.values(jobs).flatMap(({ steps }) => steps) };
}

/** Workflows that are shown together: those of the examples, and those of one page. */
async function groups(): Promise<readonly (readonly Named[])[]> {
  const examples = (await exampleWorkflows()).map(({ name, text }) => readWorkflow(name, text));
  const page = await readFile(join(projectRoot, "docs/judge.md"), "utf8");
  const shown = readmeWorkflows(page).map(({ text, line }) => readWorkflow(`docs/judge.md:${String(line)}`, text));
  return [examples, shown];
}

const ALL = await groups();
const uses = ({ steps }: Named, action: string) => steps.filter((step) => step.uses.startsWith(`${action}@`));
const text = (step: z.infer<typeof Step>, input: string) => {
  const value = step.with[input];
  return typeof value === "string" ? value : "";
};
const isBelow = (directory: string, path: string) => path !== "" && !relative(directory, path).startsWith("..");

describe("a workflow that posts what another one has written", () => {
  const pairs = ALL.flatMap((group) =>
    group.flatMap((posting) => {
      const trigger = Triggered.safeParse(posting.on);
      return !trigger.success ? [] : trigger.data.workflow_run.workflows.map((name) => ({ posting, name, group }));
    }),
  );

  test("is there in the examples and on the page", () => {
    expect(pairs.map(({ posting, name }) => [posting.file.replace(/:\d+$/, ""), name])).toEqual([
      ["comment-from-fork.yml", "Judge"],
      ["comment-from-fork.yml", "Judge shards"],
      ["docs/judge.md", "Judge"],
    ]);
  });

  test.each(pairs)("$posting.file reads what $name uploads", ({ posting, name, group }) => {
    const [writing] = group.filter((one) => one.name === name);
    if (writing === undefined) expect.fail(`no workflow is named ${name}`);
    const [download] = uses(posting, "actions/download-artifact");
    const [comment] = uses(posting, "OWNER/graph-deploy/action/comment");
    const uploads = uses(writing, "actions/upload-artifact");
    const [judge] = uses(writing, "OWNER/graph-deploy/action/judge");
    if (download === undefined || comment === undefined || judge === undefined) expect.fail("a step is missing");
    const upload = uploads.find((step) => text(step, "name") === text(download, "name"));
    if (upload === undefined) expect.fail(`${writing.file} uploads no ${text(download, "name")}`);
    // A red judgement is posted above all.
    expect(upload.if).toMatch(/!cancelled\(\)/);
    // An artifact of one directory has the files below it.
    const place = relative(text(upload, "path"), text(judge, "comment-path"));
    expect(isBelow(text(upload, "path"), text(judge, "comment-path"))).toBe(true);
    expect(text(comment, "body-path")).toBe(join(text(download, "path"), place));
  });
});

describe("a workflow that keeps its baseline in a cache", () => {
  const caching = ALL.flat().filter((one) => uses(one, "actions/cache/restore").length > 0);

  test("is the first one of the page, and an example", () => {
    expect(caching.map(({ file }) => file.replace(/:\d+$/, ""))).toEqual(
      expect.arrayContaining(["judge.yml", "docs/judge.md"]),
    );
  });

  test.each(caching.filter((one) => uses(one, "OWNER/graph-deploy/action/judge").length > 0))(
    "$file restores what it saves on main, and compares with it",
    (workflow) => {
      const [restore] = uses(workflow, "actions/cache/restore");
      const saves = uses(workflow, "actions/cache/save");
      const [judge] = uses(workflow, "OWNER/graph-deploy/action/judge");
      if (restore === undefined || judge === undefined) expect.fail("a step is missing");
      const [path, prefix] = [text(restore, "path"), text(restore, "restore-keys").trim()];
      expect(saves.map((save) => text(save, "path"))).toEqual([path]);
      for (const save of saves) {
        expect(text(save, "key").startsWith(prefix)).toBe(true);
        // Each run saves its own entry, because none is ever overwritten.
        expect(text(save, "key")).toContain("github.run_id");
        expect(save.if).not.toContain("always()");
        expect(save.if === "" || save.if.includes("github.ref == 'refs/heads/main'")).toBe(true);
        expect(workflow.steps.indexOf(save)).toBeGreaterThan(workflow.steps.indexOf(judge));
      }
      expect(workflow.steps.indexOf(restore)).toBeLessThan(workflow.steps.indexOf(judge));
      for (const input of ["baseline", "snapshot"]) expect(dirname(text(judge, input))).toBe(path);
      // The snapshot is one of the files that the pattern of the baseline leads to.
      expect(text(judge, "snapshot")).toMatch(/\.snapshot\.jsonl$/);
      expect(text(judge, "baseline")).toMatch(/\*\.snapshot\.jsonl$/);
      // A run is never its own baseline: one that is run again needs the snapshots of the runs before it.
      expect(text(judge, "snapshot")).toContain("github.run_id");
      const keep = workflow.steps.find(({ run }) => run.includes("tail -n +6"));
      if (keep === undefined) expect.fail("nothing keeps the newest five");
      expect(saves.map((save) => save.if)).toEqual([keep.if]);
      expect(workflow.steps.indexOf(keep)).toBeGreaterThan(workflow.steps.indexOf(judge));
      for (const save of saves) expect(workflow.steps.indexOf(keep)).toBeLessThan(workflow.steps.indexOf(save));
    },
  );
});
