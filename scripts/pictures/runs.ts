import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLocalService } from "../../src/local/index.ts";
import { pullRequestEvent } from "../../test/github/events.ts";
import { startGitHub } from "../../test/github/server.ts";
import { runAction, type ActionResult } from "../../test/runner/runner.ts";
import { projectRoot } from "../command.ts";
import { steady, type Changing } from "./steady.ts";

/** What the pictures of the README show. */
export const PICTURES = ["deploy", "comment", "report"] as const;
export type Picture = (typeof PICTURES)[number];

const API_KEY = "key-of-the-pictures-0123456789";
const WALK_MS = 5_000;

type Inputs = Readonly<Record<string, string>>;

/**
 * The texts of real runs: the built actions, as processes, against the local service and a GitHub on loopback. A job
 * summary and the body of a comment are markdown, a report is HTML. Ids and addresses are fixed ones; times are not.
 */
export async function textsOfRuns(): Promise<Readonly<Record<Picture, string>>> {
  await using service = await startLocalService({ apiKey: API_KEY, walkMilliseconds: WALK_MS });
  await using github = await startGitHub();
  const root = await mkdtemp(join(tmpdir(), "graph-deploy-pictures-"));
  const workspace = join(root, "workspace");
  const { number } = github.state.pulls.open({});
  const { event, env } = pullRequestEvent(github.state, number, "opened");
  const run = async (action: string, inputs: Inputs, exitCode: number): Promise<ActionResult> => {
    const result = await runAction({
      actionYml: join(projectRoot, action, "action.yml"),
      ...{ workspace, inputs, event, secrets: [API_KEY, github.token] },
      // The links of a comment lead to the web, and requests to the GitHub on loopback.
      env: { ...github.env, ...env, GITHUB_SERVER_URL: "https://github.com" },
    });
    if (result.exitCode !== exitCode)
      throw new Error(`${action}: exit code ${String(result.exitCode)}\n${result.log.join("\n")}`);
    return result;
  };
  const deploy = async (inputs: Inputs, ...statuses: readonly string[]) => {
    service.faults.nextRevision({ walk: [...statuses, "DEPLOYED"] });
    const shared = { "control-plane-url": service.url, "api-key": API_KEY, name: "support-agent", path: "agent" };
    return await run("", { ...shared, "poll-interval": "0.1s", ...inputs }, 0);
  };
  try {
    await cp(join(projectRoot, "examples/agent"), join(workspace, "agent"), { recursive: true });
    await cp(join(projectRoot, "examples/results/judged"), workspace, { recursive: true });
    const live = await deploy({}, "AWAITING_BUILD", "BUILDING", "DEPLOYING");
    const preview = await deploy({ preview: "true", comment: "true", "github-token": github.token });
    const judged = { results: "regressed.csv", baseline: "baseline.csv", "dataset-name": "support-questions" };
    const files = { report: "report.html", "comment-path": "comment.md" };
    await run("action/judge", { ...judged, ...files, gates: GATES }, 1);
    await run("action/comment", { "body-path": "comment.md", key: "Judge", "github-token": github.token }, 0);
    const output = ({ outputs }: ActionResult, name: string) => outputs.get(name) ?? "";
    const changing: Changing = {
      addresses: [
        [output(live, "url"), "https://support-agent.example.com"],
        [output(preview, "url"), "https://support-agent-pr-1.example.com"],
        [service.url, "https://deploy.example.com"],
      ],
      ids: [live, preview].flatMap((each) => [output(each, "deployment-id"), output(each, "revision-id")]),
    };
    const [comment] = github.state.comments.of(number);
    return {
      deploy: steady(live.summary, changing),
      comment: steady(comment?.body ?? "", changing),
      report: steady(await readFile(join(workspace, "report.html"), "utf8"), changing),
    };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

const GATES = ["correct not regressed", "tone not worse by 5pp", "p95(latency) <= 3s"].join("\n");
