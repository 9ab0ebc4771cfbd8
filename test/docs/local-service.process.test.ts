import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { projectRoot } from "../../scripts/command.ts";
import { startLocalService } from "../../src/local/index.ts";
import { MarkdownFile } from "./markdown-file.ts";

const page = await MarkdownFile.read("docs/local-service.md");

/** Runs the commands that stand under a heading, with the addresses of the running service and agent. */
async function paste(heading: string, addresses: Readonly<Record<string, string>>): Promise<string> {
  let [, commands = ""] = /^```sh\n(.*?)^```$/ms.exec(page.section(heading)) ?? [];
  for (const [shown, address] of Object.entries(addresses)) {
    expect(commands).toContain(shown);
    commands = commands.replaceAll(shown, address);
  }
  const { stdout } = await promisify(execFile)("sh", ["-ec", commands], { cwd: projectRoot });
  return stdout;
}

test.skipIf(process.platform === "win32")(
  "the commands of the page deploy to the service and run the agent",
  async () => {
    const service = await startLocalService({ apiKey: "KEY", walkMilliseconds: 0 });
    onTestFinished(() => service.close());
    const printed = await paste("Deploy to it", { "http://127.0.0.1:8123": service.url });
    const [, url = ""] = /^deployed (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(printed) ?? [];
    expect(service.deployments()).toMatchObject([{ name: "support-agent", url }]);
    const said = await paste("The built-in agent", { "http://127.0.0.1:PORT": url });
    expect(said).toMatch(/^\{"ok":true\}\{"messages":\[.*: Where is my order\?"\}\]\}$/);
  },
);
