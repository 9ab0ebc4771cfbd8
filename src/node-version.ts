// eslint-disable-next-line no-restricted-imports -- It runs before a door could hand anything in.
import { versions } from "node:process";
import { GraphDeployError } from "./contract/graph-deploy-error.ts";

const OLDEST = [22, 19] as const;

/** This Node is older than what the package is made for. */
class NodeVersionError extends GraphDeployError {
  readonly code = "NODE_VERSION";
}

const [major = 0, minor = 0] = versions.node.split(".").map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  const error = new NodeVersionError(
    `graph-deploy needs Node ${OLDEST.join(".")} or later; this is ${versions.node}.`,
    {},
  );
  // It is printed where nothing catches it: the sentence is all that matters.
  error.stack = `${error.name}: ${error.message}`;
  throw error;
}
