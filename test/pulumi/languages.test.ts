import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { startLocalService, type LocalService } from "../../src/local/index.ts";
import { LanguageProject, NoPackagesError } from "./language-project.ts";

const TIMEOUT_MS = 1_800_000;
const API_KEY = "key-of-the-languages-0123456789";
const packages = inject("packages");
const cli = inject("pulumiCli");

interface Language {
  readonly name: string;
  readonly example: string;
  /** The programs that must be there: the language host, and what it starts. */
  readonly needs: readonly string[];
  /** Makes the example a program of the plugin. */
  readonly prepare: (project: LanguageProject) => Promise<void>;
}

const LANGUAGES: readonly Language[] = [
  {
    name: "TypeScript",
    example: "pulumi",
    needs: ["pulumi-language-nodejs", "npm"],
    prepare: async (project) => {
      // The same program without the component, which only the package for TypeScript has.
      await project.edit("index.ts", (text) =>
        text
          .replaceAll("AgentDeployment", "Deployment")
          .replace("graph-deploy/pulumi", "@graph-deploy/pulumi")
          .replaceAll("agent.deployment", "agent"),
      );
      await project.edit("package.json", (text) => text.replace(/,\s*"graph-deploy": "[^"]*"/, ""));
      await project.edit("Pulumi.yaml", (text) => {
        const path = project.plugin.replace(/\/[^/]*$/, "");
        return `${text}plugins:\n  providers:\n    - { name: graph-deploy, path: ${JSON.stringify(path)} }\n`;
      });
      await project.addPackage();
    },
  },
  {
    name: "Python",
    example: "pulumi-python",
    needs: ["pulumi-language-python", "python3"],
    prepare: (project) => project.addPackage(),
  },
  {
    name: "Go",
    example: "pulumi-go",
    needs: ["pulumi-language-go", "go"],
    prepare: (project) => project.addPackage(),
  },
  {
    name: "Java",
    example: "pulumi-java",
    needs: ["pulumi-language-java", "javac", "mvn"],
    prepare: (project) => project.addPackage(),
  },
  // Its programs need no SDK.
  { name: "YAML", example: "pulumi-yaml", needs: ["pulumi-language-yaml"], prepare: async () => {} },
];

const SECRET = { name: "MODEL_API_KEY", value: "sk-1234" };
/** What each of them asks of the service: waits are one line, however often they ask. */
const CALLS = {
  up: [
    "GET /v2/deployments",
    [
      "POST /v2/deployments",
      {
        name: "support-agent",
        source: "internal_source",
        source_config: {},
        source_revision_config: { graph_config_path: "graph.json" },
        secrets: [SECRET],
      },
    ],
    ["POST /deployments/ID/upload-url", { supports_upload_headers: true }],
    "PUT /objects/sources/ID/ID.tar.gz",
    ["PATCH /v2/deployments/ID", { source_revision_config: { source_tarball_path: "sources/ID/ID.tar.gz" } }],
    "GET /v2/deployments/ID/revisions/ID",
    "GET /v2/deployments/ID",
  ],
  secondUp: [],
  preview: [],
  destroy: ["DELETE /v2/deployments/ID", "GET /v2/deployments/ID"],
};
// The same files are the same archive.
const uploadedBytes = new Set<number>();

describe.skipIf(cli === undefined)("one deployment, described in each language", () => {
  test.for(LANGUAGES)("$name", { timeout: TIMEOUT_MS }, async ({ name, example, needs, prepare }, { skip }) => {
    const surroundings = { cli: cli ?? "", packages };
    const missing = needs.filter((program) => !isFound(program, surroundings.cli));
    if (missing.length > 0) leave(skip, name, `${missing.join(", ")} not found beside pulumi or on PATH`);
    await using project = await LanguageProject.create(example, surroundings);
    await fetching(prepare(project), name, skip);
    const service = await startLocalService({ walkMilliseconds: 4, apiKey: API_KEY, keepBodies: true });
    try {
      await project.pulumi("stack", "init", "dev");
      await project.pulumi("config", "set", "graph-deploy:controlPlaneUrl", service.url);
      await project.pulumi("config", "set", "--secret", "graph-deploy:apiKey", API_KEY);
      await project.pulumi("config", "set", "--secret", "modelApiKey", SECRET.value);
      expect(await lifeOf(project, service)).toEqual(CALLS);
      expect(uploadedBytes.size).toBe(1);
    } finally {
      await service.close();
    }
  });
});

describe.skipIf(cli === undefined)("an SDK of the plugin, written without a warning", () => {
  test.for(["nodejs", "python", "go", "dotnet", "java"])("for %s", async (language, { skip }) => {
    const surroundings = { cli: cli ?? "", packages };
    const host = `pulumi-language-${language}`;
    if (!isFound(host, surroundings.cli)) leave(skip, language, `${host} not found beside pulumi or on PATH`);
    await using project = await LanguageProject.create("pulumi-yaml", surroundings);
    const args = ["package", "gen-sdk", project.plugin, "--language", language, "--out", "sdk"];
    // That for .NET brings a logo, which Pulumi fetches.
    const lines = (await fetching(project.pulumi(...args), language, skip)).split("\n");
    // That for Java says that its readers of the configuration know no secrets.
    const expected = language === "java" ? lines.filter((line) => !/secret/i.test(line)) : lines;
    expect(expected.join("\n")).not.toMatch(/warn/i);
  });
});

/** Skips the test of a language if what it needs cannot be fetched. */
async function fetching<Result>(work: Promise<Result>, name: string, skip: (note: string) => never): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof NoPackagesError) leave(skip, name, `what it needs cannot be fetched: ${error.message}`);
    throw error;
  }
}

async function lifeOf(project: LanguageProject, service: LocalService) {
  const calls = callsOf(service);
  await project.pulumi("up", "--yes", "--skip-preview");
  const up = calls();
  const outputs: unknown = JSON.parse(await project.pulumi("stack", "output", "--json"));
  expect(outputs).toEqual({
    url: expect.stringMatching(/^http:/),
    revision: expect.stringMatching(/^[\da-f-]{36}$/),
    sourceSummary: expect.stringMatching(/^8 files, /),
  });
  await project.pulumi("up", "--yes", "--skip-preview");
  const secondUp = calls();
  await project.pulumi("preview", "--expect-no-changes");
  const preview = calls();
  await project.pulumi("destroy", "--yes", "--skip-preview");
  return { up, secondUp, preview, destroy: calls() };
}

/** The requests since the last time, with what differs between any two deployments taken out. */
function callsOf(service: LocalService): () => readonly unknown[] {
  let heard = 0;
  return () => {
    const requests = service.requests.slice(heard).filter(({ server }) => server === "service");
    heard = service.requests.length;
    for (const { method, bodyBytes } of requests) if (method === "PUT") uploadedBytes.add(bodyBytes);
    const calls = requests.map(({ method, path, json }) => {
      const request = `${method} ${path}`;
      return withoutIds(json === undefined ? request : [request, json]);
    });
    return calls.filter((call, at) => JSON.stringify(call) !== JSON.stringify(calls[at - 1]));
  };
}

function withoutIds(call: unknown): unknown {
  return JSON.parse(JSON.stringify(call).replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f-]{22}/g, "ID"));
}

function isFound(program: string, cliFolder: string): boolean {
  return [cliFolder, ...(process.env["PATH"] ?? "").split(delimiter)].some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function leave(skip: (note: string) => never, name: string, reason: string): never {
  console.log(`${name} is skipped: ${reason}.`);
  return skip(reason);
}
