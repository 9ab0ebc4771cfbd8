import { adviceAt, warningAt, type AdviceTable } from "../../src/contract/advice.ts";
import { GraphDeployError } from "../../src/contract/graph-deploy-error.ts";
import { CreateUncertainError, NoListError } from "../../src/control-plane/errors.ts";
import type { DeployEvent } from "../../src/deployment/events.ts";
import { GraphConfigError } from "../../src/source/entry/errors.ts";
import { withFullStop } from "../../src/text/reasons.ts";

const EXCLUDE = "List files to leave out in `directory.exclude`.";
const READINESS = "`readiness: false` skips the check.";

/** Which argument or command of Pulumi helps, by the reason or the code of an error. */
export const PROGRAM_ADVICE: AdviceTable = {
  AGENT_ADDRESS: READINESS,
  ADDRESS_NEAR: READINESS,
  AGENT_UNHEALTHY: `If the agent cannot be called from here (custom authentication, a private network): ${READINESS}`,
  AMBIGUOUS_NAME: "Give one of them another name, or delete it.",
  BODY_TOO_LARGE: EXCLUDE,
  CERTIFICATE_UNTRUSTED: "Set NODE_EXTRA_CA_CERTS to the path of that certificate.",
  CONFIG_MISSING: configAdvice,
  CONFIG_UNUSABLE: "Set `graphConfigPath` to the configuration file, as a path relative to `directory.path`.",
  CREDENTIALS_FOUND: "List files that may contain such values in `directory.allowSecretsInSource`.",
  DEPLOYMENT_NOT_FOUND: "Run `pulumi up --refresh`, which creates it again.",
  EXISTENCE_UNKNOWN: existenceAdvice,
  FILE_GONE: EXCLUDE,
  FILE_LEFT_OUT: "List files to pack despite the rules in `directory.include`.",
  FILE_UNREADABLE: EXCLUDE,
  FOUND_BY_ID_ONLY: "The state keeps it; without the state, import the deployment by it.",
  LFS_POINTERS: "`git lfs pull` brings the files, in GitHub Actions `lfs: true` of `actions/checkout`.",
  LINK_OUTSIDE: EXCLUDE,
  LIST_UNSUPPORTED: unlistedAdvice,
  NAME_MISMATCH: "Correct the id or the name.",
  NAME_TWICE: "The state keeps the first of these ids.",
  NO_CONTROL_PLANE: "`controlPlaneUrl` sets the address.",
  REVISION_NOT_FOUND: "Run `pulumi refresh`.",
  SOURCE_CHANGED: EXCLUDE,
  SOURCE_FOLDER: "Set `directory.path` to the directory of the agent project.",
  SOURCE_TOO_LARGE: `${EXCLUDE} \`graph-deploy:maxSize\` in the configuration raises the limit.`,
  SOURCE_UNREADABLE: EXCLUDE,
  SPOOL: "TMPDIR names the directory.",
  SUBMODULES_EMPTY: "In GitHub Actions, `submodules: true` of `actions/checkout` brings their files.",
  SUPERSEDED: "Run `pulumi up --refresh` to deploy the program's source again; let only one program deploy at a time.",
  TRACKED_LEFT_OUT: "`directory.include` packs them.",
  TIMED_OUT: "`timeoutSeconds` sets how long all requests may take together.",
  UNFINISHED_CREATE:
    "Look in the service: import the deployment by its id if it exists. " +
    "If it does not, run `pulumi up` again, which then creates it.",
  UNAUTHORIZED:
    "A refresh or a destroy uses the key of the last `pulumi up`, from the state: after a change of the key in the configuration, " +
    "run `pulumi up` first, or add --run-program.",
  WAIT_TIMEOUT: "`timeoutSeconds` sets how long to wait.",
};

/** The message of an error and what to do next, on one line. */
export function sentencesOf(error: Error): string {
  const advice = error instanceof GraphDeployError ? adviceAt(PROGRAM_ADVICE, error) : "";
  return advice === "" ? error.message : `${withFullStop(error.message)} ${advice}`;
}

/** An event with what a program can do about it. */
export function withAdvice(event: DeployEvent): DeployEvent {
  return event.type === "warning" ? { ...event, message: warningAt(PROGRAM_ADVICE, event) } : event;
}

// A list that cannot be read today may be read tomorrow; a service without a list stays without one.
function existenceAdvice({ cause }: GraphDeployError): string {
  const none =
    cause instanceof NoListError && cause.kind === "undecided"
      ? "If there is none, run `pulumi up` again once the list can be read, or create it in another way and import that."
      : 'If there is none, leave out `adopt: "ifExists"`: then it is created.';
  return (
    `Import it by that (\`pulumi import\`, or the option \`import\`). ${none} ` +
    "If the service has a list, check that `controlPlaneUrl` has its path prefix."
  );
}

function unlistedAdvice(error: GraphDeployError): string {
  if (!(error instanceof CreateUncertainError)) {
    return "Read it by its id with `Deployment.get`, or import it by its id to manage it.";
  }
  const { cause } = error;
  const again =
    cause instanceof NoListError && cause.kind === "undecided"
      ? ""
      : " Without the import, a `pulumi up` on another machine, or one of a dynamic resource, creates it again.";
  return `Import it by that before the next \`pulumi up\`.${again}`;
}

function configAdvice(error: GraphDeployError): string {
  const found = error instanceof GraphConfigError ? error.found : [];
  if (found.length === 0) return "Set `graphConfigPath` to the configuration file.";
  return found
    .map(({ name, file }) => `For ${name}, set \`graphConfigPath\` to ${JSON.stringify(file ?? name)}.`)
    .join(" ");
}
