import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { withFolder, call, create, release, settled, start, upload, patch } from "../caller.ts";
import { PROJECT, projectTarball, tar, tarball, type Entry } from "../tarball.ts";

/** Builds a tarball, and answers how that ended and what the build log says. */
async function build(bytes: Buffer, configPath = "graph.json") {
  const service = await start();
  const { id } = await create(service);
  const source_tarball_path = await upload(service, id, bytes);
  await patch(service, id, { source_revision_config: { source_tarball_path, graph_config_path: configPath } });
  const revisionId = service.deployments()[0]?.latest_revision_id ?? "";
  const { status, status_message } = await settled(service, id, revisionId);
  const logs = await call(service.url, "POST", `/v1/projects/${id}/revisions/${revisionId}/build_logs`, { json: {} });
  const lines = (logs.json as { logs: { level: string; message: string }[] }).logs;
  return { status, status_message, service, log: lines.map(({ level, message }) => `${level} ${message}`) };
}

const files = (contents: Readonly<Record<string, string>>): Entry[] =>
  Object.entries(contents).map(([path, content]) => ({ path, content }));
const project = files(PROJECT);
const config = (json: object, path = "graph.json"): Entry => ({
  path,
  content: JSON.stringify({ dependencies: [".", "requests"], ...json }),
});

describe("a project builds", () => {
  test("and its agent server knows the graphs of the configuration file", async () => {
    const graphs = { support: "./desk/agent.py:graph", triage: { path: "./desk/agent.py:other" } };
    const content = "graph = other = 1\n";
    const needs = { path: "requirements.txt" };
    const files = [config({ graphs, dependencies: ["."] }), { path: "desk/agent.py", content }, needs];
    const { status, log, service } = await build(tarball(files));
    expect(status).toBe("DEPLOYED");
    expect(log).toEqual(["INFO Unpacked the archive: files 3, bytes 3584.", "INFO Graphs: support, triage."]);
    const url = service.deployments()[0]?.url ?? "";
    const { json } = await call(url, "POST", "/assistants/search", { json: {} });
    expect((json as { graph_id: string }[]).map(({ graph_id }) => graph_id)).toEqual(["support", "triage"]);
  });

  test.each<[string, Entry[], string]>([
    [
      "with names that start with ./",
      files({ "./graph.json": PROJECT["graph.json"] ?? "", "./src/agent.py": "" }),
      "graph.json",
    ],
    [
      "with the configuration in a folder, and paths relative to it",
      [config({ graphs: { agent: "./agent.py:graph" } }, "apps/one/graph.json"), { path: "apps/one/agent.py" }],
      "apps/one/graph.json",
    ],
    [
      "with a dependency beside the configuration's folder",
      [
        config(
          { graphs: { agent: "../shared/agent.py:graph" }, dependencies: ["../shared", "requests"] },
          "app/graph.json",
        ),
        { path: "shared/agent.py" },
      ],
      "app/graph.json",
    ],
    [
      "with links inside the tree",
      [
        { path: "current", type: "SymbolicLink", linkpath: "versions/2" },
        { path: "graph.json", type: "SymbolicLink", linkpath: "current/graph.json" },
        config({ graphs: { agent: "./current/agent.py:graph" } }, "versions/2/graph.json"),
        { path: "versions/2/agent.py" },
      ],
      "graph.json",
    ],
    [
      "with a hard link to an earlier file",
      [...project, { path: "hard.json", type: "Link", linkpath: "graph.json" }],
      "hard.json",
    ],
    [
      "with names that need a PAX header",
      [
        config({ graphs: { agent: `./${"d/".repeat(60)}agent.py:graph` } }),
        { path: `${"d/".repeat(60)}agent.py`, pax: true },
      ],
      "graph.json",
    ],
    ["with empty folders", [{ path: "empty/", type: "Directory" }, ...project], "graph.json"],
    ["without an end mark", project, "graph.json"],
  ])("%s", async (name, entries, configPath) => {
    const bytes = name === "without an end mark" ? gzipSync(tar(entries, { end: false })) : tarball(entries);
    const { status, log } = await build(bytes, configPath);
    expect([status, ...log]).toEqual(["DEPLOYED", ...log]);
  });

  test("and says that an env file has stayed at home", async () => {
    const entries = [config({ graphs: { agent: "./a.py:g" }, env: ".env" }), { path: "a.py" }];
    const { status, log } = await build(tarball(entries));
    expect(status).toBe("DEPLOYED");
    expect(log).toContainEqual(expect.stringMatching(/^WARNING The env file \.env is not in the archive/));
  });
});

test("the log of a build warns of what will not run a name that the graph's file lacks, and packages that nothing names", async () => {
  const graphs = { support: "./linked/agent.py:graph", triage: "./desk/agent.py:app", huge: "./huge.py:graph" };
  const entries = [
    config({ graphs, dependencies: ["."] }),
    { path: "desk/agent.py", content: "app = 1\n" },
    { path: "linked", type: "SymbolicLink", linkpath: "desk" },
    { path: "huge.py", content: "# ".repeat(2 ** 20) },
  ];
  const { status, log } = await build(tarball(entries));
  expect(status).toBe("DEPLOYED");
  expect(log.slice(1)).toEqual([
    'WARNING graph.json: graph "support": ./linked/agent.py does not seem to define "graph"',
    expect.stringMatching(/^WARNING graph\.json: the dependency "\." has no pyproject\.toml/),
    "INFO Graphs: support, triage, huge.",
  ]);
});

test.each<[string, Entry[], string[]]>([
  [
    "no configuration file",
    [{ path: "readme.md" }],
    ["ERROR The configuration file graph.json is not in the archive."],
  ],
  ["no JSON", [{ path: "graph.json", content: "{" }], [expect.stringMatching(/^ERROR graph\.json: it is not JSON/)]],
  ["no graphs", [config({ graphs: {} })], ["ERROR graph.json: graphs: must name at least one graph"]],
  [
    "graphs whose files are missing, all of them",
    [config({ graphs: { a: "./a.py:g", b: "./b.py:g", c: "./c.py:g" } }), { path: "b.py" }],
    [
      'ERROR graph.json: graph "a": ./a.py is not in the archive',
      'ERROR graph.json: graph "c": ./c.py is not in the archive',
    ],
  ],
  [
    "a graph outside of the archive",
    [config({ graphs: { a: "../../etc/passwd:g" } })],
    ['ERROR graph.json: graph "a": ../../etc/passwd is not in the archive'],
  ],
  [
    "a dependency that is missing",
    [config({ graphs: { a: "./a.py:g" }, dependencies: [".", "./lost"] }), { path: "a.py" }],
    ["ERROR graph.json: the dependency ./lost is not in the archive"],
  ],
  [
    "a graph behind links that go round",
    [
      config({ graphs: { a: "./a.py:g" } }),
      { path: "a.py", type: "SymbolicLink", linkpath: "b.py" },
      { path: "b.py", type: "SymbolicLink", linkpath: "a.py" },
    ],
    ['ERROR graph.json: graph "a": ./a.py is not in the archive'],
  ],
])("a build fails, and its log says why %s", async (_name, entries, errors) => {
  const { status, status_message, log } = await build(tarball(entries));
  expect([status, status_message]).toEqual(["BUILD_FAILED", "The image could not be built."]);
  expect(log.filter((line) => line.startsWith("ERROR"))).toEqual(errors);
});

describe("a hostile archive is rejected", () => {
  const refused = (name: string, entries: readonly Entry[], reason: RegExp) =>
    [name, tarball(entries), reason] as const;

  test.each([
    refused("an absolute path", [...project, { path: "/etc/cron.d/x" }], /is outside the archive/),
    refused("a path with ..", [...project, { path: "src/../../x" }], /is outside the archive/),
    refused("a path with .. for Windows", [...project, { path: "src\\..\\..\\x" }], /is outside the archive/),
    refused("a drive of Windows", [...project, { path: "C:/x" }], /is outside the archive/),
    refused(
      "a path with .. in a PAX header",
      [...project, { path: `${"a/".repeat(80)}${"../".repeat(81)}x`, pax: true }],
      /is outside the archive/,
    ),
    refused("a name that no file can have", [...project, { path: `src/${"ä".repeat(150)}`, pax: true }], /255 bytes/),
    refused("a path that is too long", [...project, { path: "a".repeat(5000), pax: true }], /is outside the archive/),
    refused(
      "a link to an absolute path",
      [...project, { path: "x", type: "SymbolicLink", linkpath: "/etc/passwd" }],
      /leaves/,
    ),
    refused(
      "a link out of the tree",
      [...project, { path: "src/x", type: "SymbolicLink", linkpath: "../../x" }],
      /leaves/,
    ),
    refused(
      "a hard link out of the tree",
      [...project, { path: "x", type: "Link", linkpath: "../x" }],
      /hard link to something/,
    ),
    refused(
      "a hard link to a file that is not there",
      [{ path: "x", type: "Link", linkpath: "y" }, ...project],
      /hard link to something/,
    ),
    refused(
      "a file below a link",
      [...project, { path: "out", type: "SymbolicLink", linkpath: "src" }, { path: "out/x" }],
      /lies below "out"/,
    ),
    refused("a file below a file", [...project, { path: "graph.json/x" }], /lies below/),
    refused(
      "a link in the place of a file",
      [...project, { path: "graph.json", type: "SymbolicLink", linkpath: "x" }],
      /twice/,
    ),
    refused(
      "a character device",
      [...project, { path: "null", type: "CharacterDevice" }],
      /not a file, directory or link/,
    ),
    refused("a block device", [...project, { path: "disk", type: "BlockDevice" }], /not a file, directory or link/),
    refused("a FIFO", [...project, { path: "pipe", type: "FIFO" }], /not a file, directory or link/),
    refused("a sparse file", [...project, { path: "sparse", type: "SparseFile" }], /type that is not allowed/),
    refused("a type that nobody knows", [...project, { path: "odd", type: "Z" }], /type that is not allowed/),
    refused(
      "a configuration file of 2 MiB",
      [{ path: "graph.json", content: " ".repeat(2 ** 21) }],
      /larger than 1048576/,
    ),
    ["no entries at all", tarball([]), /Unrecognized archive format|empty/],
    ["no gzip", tar(project), /not a gzip file/],
    ["no tar in the gzip", gzipSync("hello ".repeat(1000)), /checksum failure|Unrecognized/],
    ["a gzip in the gzip", gzipSync(projectTarball()), /another compressed archive/],
    ["a gzip that is cut short", projectTarball().subarray(0, -20), /truncated/],
    [
      "a tar that is cut short",
      gzipSync(tar([...project, { path: "x", content: "abc", size: 4096 }], { end: false })),
      /Truncated/,
    ],
    [
      "a broken header",
      gzipSync(Buffer.concat([tar(project, { end: false }), Buffer.alloc(512, "x"), Buffer.alloc(1024)])),
      /checksum failure/,
    ],
  ] as const)("%s", async (_name, bytes, reason) => {
    const { status, log } = await build(bytes);
    expect([status, ...log]).toEqual(["BUILD_FAILED", expect.stringMatching(reason)]);
    expect(log[0]).toMatch(/^ERROR The archive is invalid: /);
  });

  test("a bomb of zeros", { tags: "slow" }, async () => {
    const { status, log } = await build(
      gzipSync(Buffer.concat([tar(project, { end: false }), Buffer.alloc(80 * 2 ** 20)])),
    );
    expect([status, ...log]).toEqual(["BUILD_FAILED", expect.stringMatching(/more than 200 times its size/)]);
  });

  withFolder("and nothing of it reaches the disk", async (dataDirectory) => {
    const service = await start({ dataDirectory });
    const { id } = await create(service);
    const revisionId = await release(service, id, tarball([...project, { path: "../escaped" }]));
    expect((await settled(service, id, revisionId)).status).toBe("BUILD_FAILED");
    const names = await readdir(dataDirectory, { recursive: true });
    expect(names.filter((name) => !/^(?:state\.sqlite.*|objects|objects[\\/][\w-]+\.tar\.gz)$/.test(name))).toEqual([]);
    expect(await readdir(join(dataDirectory, ".."))).not.toContain("escaped");
  });
});
