import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startLocalService } from "../../src/local/index.ts";
import { pullRequestEvent } from "../../test/github/events.ts";
import { startGitHub } from "../../test/github/server.ts";
import { runAction } from "../../test/runner/runner.ts";

const KEY = "key-of-the-figures";
const MARK = "frames of deploy: ";

/** Loaded before the step: when `deploy` is called, prints who called it, with those that wait for it. */
const HOOK = `
import { registerHooks } from "node:module";
Error.stackTraceLimit = Infinity;
globalThis.printFrames = () => console.log("${MARK}" + JSON.stringify(new Error().stack));
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith("/src/deployment/deploy.ts")) return loaded;
    const begin = /export async function deploy\\([^]*?\\{\\n/;
    return { ...loaded, source: String(loaded.source).replace(begin, "$&printFrames();") };
  },
});
`;

/** What a step can do beside its deploy, from nothing to all. */
const EXTRAS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["plain", {}],
  ["with a record", { environment: "staging" }],
  ["with a preview, a record and a trace", { preview: "true", environment: "preview", "trace-session": "frames" }],
];

/**
 * The functions between the script of the deploy action and `deploy()`, the outer first, in a step that deploys to the local
 * service: those on the stack when `deploy()` begins, with those that await it.
 */
export async function deployFrames(root: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const workspace = await mkdtemp(join(tmpdir(), "frames-"));
  const frames = new Map<string, readonly string[]>();
  await using github = await startGitHub({});
  await using service = await startLocalService({ apiKey: KEY, walkMilliseconds: 1 });
  try {
    const hook = join(workspace, "hook.mjs");
    await writeFile(hook, HOOK);
    const { number } = github.state.pulls.open();
    const { event, env } = pullRequestEvent(github.state, number, "opened");
    const trace = { "trace-url": service.url, "trace-api-key": KEY };
    for (const [name, extra] of EXTRAS) {
      const { rawStdout, rawStderr } = await runAction({
        actionYml: join(root, "action.yml"),
        dist: join(root, "action/deploy/main.ts"),
        workspace,
        event,
        env: { ...github.env, ...env, NODE_OPTIONS: `--import=${pathToFileURL(hook).href}` },
        inputs: {
          ...{ "control-plane-url": service.url, "api-key": KEY, "github-token": github.token },
          ...{ name: "frames", "image-uri": "registry/agent:1", "smoke-test": "false", ...extra },
          ...("trace-session" in extra ? trace : {}),
        },
      });
      const stack = rawStdout.split(MARK)[1]?.split("\n")[0];
      if (stack === undefined) throw new Error(`the step did not deploy:\n${rawStdout}${rawStderr}`);
      frames.set(name, framesIn(String(JSON.parse(stack))));
    }
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
  return frames;
}

/** The names between `deploy` and the module of the script, the outer first. */
export function framesIn(stack: string): readonly string[] {
  const names = stack
    .split("\n")
    .filter((line) => line.includes("file://") && !line.includes("/node_modules/"))
    .map((line) => /at (?:async )?(?:new )?([^ ]+) \(/.exec(line)?.[1]);
  return names
    .slice(names.indexOf("deploy") + 1)
    .flatMap((name) => (name === undefined ? [] : [name]))
    .toReversed();
}
