import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { bundleLibrary } from "./bundle-library.ts";
import { bundle, bundlePlugin, compile, withStage } from "./bundle.ts";
import { projectRoot } from "./command.ts";

// `npm run build` makes the package's build/ and the committed action/dist; `-- --package` stops before the actions.
const build = join(projectRoot, "build");

await withStage(async (stage) => {
  const compiled = join(stage, "out");
  await compile(compiled);
  await bundlePlugin(compiled, join(compiled, "plugin"));
  await bundleLibrary(compiled, join(compiled, "library"));
  await rm(build, { recursive: true, force: true });
  await rename(compiled, build);
});
if (!process.argv.includes("--package")) await bundle(build, join(projectRoot, "action", "dist"));
