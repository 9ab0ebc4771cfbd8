import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { projectRoot } from "../../scripts/command.ts";

const Lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      link: z.boolean().default(false),
      // Such a package comes within the archive of another.
      inBundle: z.boolean().default(false),
      resolved: z.string().default(""),
      integrity: z.string().default(""),
      hasInstallScript: z.boolean().default(false),
    }),
  ),
});

const LOCKFILES = execFileSync("git", ["ls-files", "*package-lock.json"], { cwd: projectRoot, encoding: "utf8" })
  .split("\n")
  .filter((path) => path !== "");

function packagesOf(path: string) {
  return Object.entries(Lockfile.parse(JSON.parse(readFileSync(join(projectRoot, path), "utf8"))).packages);
}

test.each(LOCKFILES)("%s locks each package by its digest, and asks one registry", (path) => {
  const foreign = packagesOf(path).filter(([place, { link }]) => place.includes("node_modules/") && !link);
  expect(foreign.length).toBeGreaterThan(0);
  const loose = foreign.filter(([, { integrity, inBundle }]) => !inBundle && !integrity.startsWith("sha512-"));
  expect(loose.map(([place]) => place)).toEqual([]);
  expect(foreign.filter(([, { resolved }]) => resolved !== "").map(([place]) => place)).toEqual([]);
});

test("one package has a script for its installation, which makes nothing", () => {
  const scripted = packagesOf("package-lock.json").filter(([, { hasInstallScript }]) => hasInstallScript);
  // It prints a note on versions.
  expect(scripted.map(([place]) => place)).toEqual(["node_modules/protobufjs"]);
  const manifest: unknown = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8"));
  expect(manifest).not.toHaveProperty("allowScripts");
});
