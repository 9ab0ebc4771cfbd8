import { appendFileSync, chmodSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT, writeNodes, type Nodes } from "../source/temporary-tree.ts";

/** A project in a repository, with all that may decide what is packed. */
export const AROUND: Nodes = {
  ".git/HEAD": "",
  ".gitignore": "above.txt\n",
  "project/above.txt": "left out",
  "project/graph.json": PROJECT["graph.json"],
  "project/agent.py": PROJECT["agent.py"],
  "project/run.sh": { program: "" },
  "project/data.txt": "data",
  "project/run.log": "left out",
  "project/lib/one.py": "one",
  "project/lib/.gitignore": "*.tmp\n",
  "project/lib/a.tmp": "left out",
  "project/.npmrc": "//registry.example/:_authToken=abc\n",
  "project/link": { link: "data.txt" },
  "project/.dockerignore": ".dockerignore\n",
  "project/build/hidden": "left out",
  "project/build/.gitignore": "*\n",
};

/** What may happen to it that changes what is packed, or what is said of it. */
export const CHANGES: readonly (readonly [string, (folder: string) => void])[] = [
  ["a file grew", at("project/data.txt", (file) => appendFileSync(file, "more"))],
  ["a file came into a folder", at("project/lib/two.py", (file) => writeFileSync(file, ""))],
  ["a folder came", (folder) => writeNodes(folder, { "project/lib/deep/er/new.py": "" })],
  ["a file went", at("project/data.txt", (file) => rmSync(file))],
  [
    "a file has another name",
    (folder) => renameSync(join(folder, "project/lib/one.py"), join(folder, "project/lib/1.py")),
  ],
  ["a file was put in place of another", replaced("project/lib/one.py", "two")],
  [
    "a folder was put in place of another",
    (folder) => {
      renameSync(join(folder, "project/lib"), join(folder, "old"));
      writeNodes(folder, { "project/lib/one.py": "two" });
    },
  ],
  ["a file may be executed", at("project/data.txt", (file) => chmodSync(file, 0o755))],
  ["a program may not be executed any more", at("project/run.sh", (file) => chmodSync(file, 0o644))],
  [
    "a link leads elsewhere",
    at("project/link", (file) => {
      rmSync(file);
      symlinkSync("run.sh", file);
    }),
  ],
  ["an ignore file above the project changed", at(".gitignore", (file) => appendFileSync(file, "data.txt\n"))],
  ["an ignore file above the project went", at(".gitignore", (file) => rmSync(file))],
  ["an ignore file inside changed", at("project/lib/.gitignore", (file) => writeFileSync(file, "*.none\n"))],
  ["an ignore file that is left out itself changed", at("project/build/.gitignore", (file) => writeFileSync(file, ""))],
  ["an ignore file came", at("project/.graphdeployignore", (file) => writeFileSync(file, "lib\n"))],
  [
    "a .dockerignore that is left out itself changed",
    at("project/.dockerignore", (file) => appendFileSync(file, "lib")),
  ],
  ["settings that are left out hold no token any more", at("project/.npmrc", (file) => writeFileSync(file, "a=b\n"))],
  ["the repository of the project went", at(".git", (file) => rmSync(file, { recursive: true }))],
  ["the project became a repository of its own", (folder) => writeNodes(folder, { "project/.git/HEAD": "" })],
  ["a folder became a virtual environment", at("project/lib/pyvenv.cfg", (file) => writeFileSync(file, ""))],
  [
    "the configuration names a folder beside the project",
    (folder) => {
      writeNodes(folder, { "beside/b.py": "" });
      const config = { graphs: { agent: "./agent.py:graph" }, dependencies: [".", "../beside"] };
      writeFileSync(join(folder, "project/graph.json"), JSON.stringify(config));
    },
  ],
];

function at(path: string, change: (file: string) => void): (folder: string) => void {
  return (folder) => {
    change(join(folder, path));
  };
}

function replaced(path: string, content: string): (folder: string) => void {
  return at(path, (file) => {
    writeFileSync(`${file}.new`, content);
    renameSync(`${file}.new`, file);
  });
}
