// The sentences of the house speak to a workflow: they name the inputs of its action.
const WORDS: readonly (readonly [workflow: string, program: string])[] = [
  [
    "If that is expected in your workflow, set `on-superseded: succeed`; to let only one run deploy at a time, use `concurrency`.",
    "`pulumi up --refresh` makes a revision of the program's own again; let only one program deploy it at a time.",
  ],
  [
    "Set `allow-http: true` if the address is right and http is meant, or `smoke-test: false`.",
    "Set `readiness: false`.",
  ],
  [
    "Check the API key: it is missing, wrong or expired.",
    "Check the API key: it is missing, wrong or expired. A refresh or a destroy takes the one of the last `pulumi up` " +
      "from the state: after a new key in the configuration run `pulumi up` first, or name --run-program.",
  ],
  [", or raise `max-size` if the service takes more", ""],
  ["give that authority's certificate as `ca-certificate`", "name a file of it in NODE_EXTRA_CA_CERTS"],
  ["give the id of the deployment as `deployment-id`", "read it by its id with `Deployment.get`"],
  [
    "if the deployment exists, give its id as `deployment-id`",
    "a deployment that exists is read by its id with `Deployment.get`",
  ],
  [
    "Say which one is meant with `deployment-id`, or delete the others.",
    "Give one of them another name, or delete it.",
  ],
  [
    "Correct `deployment-id`, or leave it out to find or create the deployment by its name.",
    "Run `pulumi up --refresh`, which makes it anew.",
  ],
  ["Correct `name` or `deployment-id`; with an id, `name` may be left out.", "Correct the id or the name."],
  ["Correct `name`, or leave `revision-id` out to deploy.", "Run `pulumi refresh`."],
  ["Correct `revision-id`, or leave it out to deploy.", "Run `pulumi refresh`."],
  ["Say with `smoke-graph` which graph runs.", "Say which graph runs."],
  ["Leave `smoke-input` out, or give", "Give"],
  ["`control-plane-url`", "`controlPlaneUrl`"],
  ["`graph-config`", "`graphConfigPath`"],
  ["`path`", "`directory.path`"],
  ["`include`", "`directory.include`"],
  ["`exclude`", "`directory.exclude`"],
  ["`timeout`", "`timeoutSeconds`"],
  ["`smoke-test: false`", "`readiness: false`"],
  ["settings of the runner", "settings of this machine"],
];

/** A sentence of the house in the words of a Pulumi program. */
export function inProgramWords(sentence: string): string {
  return WORDS.reduce((text, [workflow, program]) => text.replaceAll(workflow, program), sentence);
}
