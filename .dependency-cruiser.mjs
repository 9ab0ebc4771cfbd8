// The floors of the house as rules: every import goes down, never up, never in a circle.

/** A rule: files under `from` may not import what matches `to`. */
const forbid = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

/** No file of this floor may import from one of the floors above it. */
const noUp = (floor, above) =>
  forbid(
    `down-only: ${floor}`,
    "An import goes down a floor, never up.",
    { path: `^${floor}/` },
    { path: above.map((folder) => `^${folder}/`) },
  );

// The floor that doors share stands below them, and above all workflows.
const doors = ["action", "pulumi-provider"];
const above = [...doors, "front"];
const workflows = [
  "src/deployment",
  "src/evaluation",
  "src/experiments",
  "src/judgement",
  "src/scoring",
  "src/trace-files",
];
const services = ["src/control-plane", "src/agent-server", "src/experiment-upload", "src/tracing"];
// The upper one first: the source of a deployment is read with what src/files knows of files.
const materials = ["src/source", "src/files"];
const ground = ["src/contract", "src/http", "src/pages", "src/statistics", "src/text"];

/** The rooms of a folder, the lowest first: a room may import from those before it, and from no other. */
const rooms = {
  "src/source": ["entry", "ignore", "tree", "archive"],
  "src/experiments": ["rows", "formats", "reading", "sending"],
  "src/experiments/formats": ["shared", "table"],
  "src/judgement": ["cases", "gates", "words", "comparing", "report"],
  "src/tracing": ["client", "ingest", "tracer"],
  "src/trace-files": ["runs", "otlp", "reading", "sending"],
  front: ["options", "account", "steps"],
  "action/github": ["records", "comment"],
  "src/local": [
    ...["archive", "faults", "http", "state", "pages", "agent-server", "agents", "deployments", "experiments", "runs"],
  ],
  "pulumi-provider/core": ["state", "inputs", "service", "check", "operations"],
};

const roomRules = Object.entries(rooms).flatMap(([folder, order]) =>
  order
    .slice(0, -1)
    .map((room, place) =>
      forbid(
        `rooms: ${folder}/${room}`,
        "A room imports only from the rooms below it.",
        { path: `^${folder}/${room}/` },
        { path: `^${folder}/(${order.slice(place + 1).join("|")})/` },
      ),
    ),
);

/** What the doors of action/ share: GitHub's API, and the runner. */
const shared = "github/|[a-z-]+\\.ts$";

const isTest = "^(test|bench|scripts)/";
const inputOutput = "^(node:)?(fs|http|https|net|tls|dns|child_process|worker_threads|sqlite|os)(/|$)";

export default {
  forbidden: [
    forbid("no-circles", "Take what both need out, or pass it in.", {}, { circular: true }),
    ...roomRules,
    forbid(
      "formats-apart",
      "What two formats need is in formats/shared or formats/table.",
      { path: "^src/experiments/formats/(?!shared/|table/)([^/]+)/" },
      { path: "^src/experiments/formats/", pathNot: "^src/experiments/formats/(shared|table|$1)/" },
    ),
    forbid(
      "results-are-not-judged-where-they-are-read",
      "An upload of results knows of no judgement.",
      { path: "^src/experiments/" },
      { path: "^src/judgement/" },
    ),
    forbid(
      "scoring-asks-nobody",
      "Answers are scored as well where no agent is asked.",
      { path: "^src/scoring/" },
      { path: "^src/evaluation/" },
    ),
    noUp("front", doors),
    ...workflows.map((floor) => noUp(floor, above)),
    ...services.map((floor) => noUp(floor, [...above, ...workflows])),
    ...materials.map((floor, at) => noUp(floor, [...above, ...workflows, ...services, ...materials.slice(0, at)])),
    noUp("src/http", [...above, ...workflows, ...services, ...materials]),
    noUp("src/contract", [...above, ...workflows, ...services, ...materials, "src/http"]),
    noUp("src/pages", [
      ...above,
      ...workflows,
      ...services,
      ...materials,
      ...ground.filter((room) => room !== "src/pages" && room !== "src/text"),
    ]),
    noUp("src/text", [
      ...above,
      ...workflows,
      ...services,
      ...materials,
      ...ground.filter((room) => room !== "src/text"),
    ]),
    forbid(
      "statistics-alone",
      "Statistics are functions of numbers: they import nothing but each other.",
      { path: "^src/statistics/" },
      { pathNot: "^src/statistics/" },
    ),
    forbid(
      "face-on-top",
      "The files of src/ itself put the floors together: no floor leans on them.",
      { path: "^src/[^/]+/" },
      { path: "^src/[^/]+\\.ts$", pathNot: "^src/(node-version|version)\\.ts$" },
    ),
    forbid(
      "contract-is-data",
      "src/contract is data without input or output: the local service and the provider share it.",
      { path: "^src/contract/" },
      { path: [inputOutput, "node_modules/undici/"] },
    ),
    forbid(
      "local-stands-beside",
      "The local service shares the contract with its clients, as data and checks, and with others words and the parts of pages: no code that sends, retries or waits.",
      { path: "^src/local/" },
      { path: "^(src|front|action|pulumi-provider)/", pathNot: "^src/((local|contract|pages|text)/|version\\.ts$)" },
    ),
    forbid(
      "nobody-leans-on-local",
      "Only a door may start the local service.",
      { path: "^src/(?!local/|local-command\\.ts$)" },
      { path: "^src/local/" },
    ),
    forbid(
      "local-on-demand",
      "A door loads the local service by import() when it is asked for, so that no other run pays for it.",
      { path: "^(action|front|pulumi-provider)/" },
      { path: "^src/local/", dynamic: false, dependencyTypesNot: ["type-only"] },
    ),
    forbid(
      "report-on-demand",
      "A door loads the page of a judgement by import() when it is asked for, so that no other run pays for its charts.",
      { path: "^(action|front|src/(?!judgement/report/))" },
      { path: "^src/judgement/report/", dynamic: false, dependencyTypesNot: ["type-only"] },
    ),
    forbid(
      "actions-toolkit-in-doors",
      "The library and the steps work outside of a runner.",
      { path: "^(src|front|pulumi-provider)/" },
      { path: ["^@actions/", "node_modules/@actions/"] },
    ),
    forbid(
      "doors-apart",
      "What two doors need is in action/github/, in front/ or in src.",
      { path: `^action/(?!${shared})([^/]+)/` },
      { path: "^action/", pathNot: `^action/(${shared}|$1/)` },
    ),
    forbid(
      "judge-is-offline",
      "The step that judges takes no key and sends nothing: no HTTP client is in its reach.",
      { path: "^action/judge/main\\.ts$" },
      {
        path: "node_modules/undici/|^(node:)?(http|https|net|tls|dns)$|^src/http/(http-client|sender)\\.ts$",
        reachable: true,
      },
    ),
    forbid(
      "core-knows-no-engine",
      "What a deployment needs is said without Pulumi: another shell can stand around it.",
      { path: "^pulumi-provider/core/" },
      { path: "node_modules/(@pulumi|@grpc)/|^pulumi-provider/(?!core/)" },
    ),
    forbid(
      "shared-rooms-know-no-door",
      "What the doors share gets what it needs as arguments.",
      { path: `^action/(${shared})` },
      { path: "^action/", pathNot: `^action/(${shared})` },
    ),
    forbid(
      "steps-apart",
      "What two steps need is in front/options/, front/account/ or beside them.",
      { path: "^front/steps/([^/]+)/" },
      { path: "^front/steps/[^/]+/", pathNot: "^front/steps/$1/" },
    ),
    forbid(
      "github-on-demand",
      "Octokit is loaded by import() when an input asks for GitHub, so that no other run pays for it.",
      { path: "^(action|front|src|pulumi-provider)/" },
      { path: "node_modules/@(octokit|actions/github)/", dynamic: false, dependencyTypesNot: ["type-only"] },
    ),
    forbid(
      "no-test-code-in-product",
      "Product code knows no test.",
      { path: "^(src|front|action|pulumi-provider|bin)/" },
      { path: isTest },
    ),
    forbid(
      "no-development-packages-in-library",
      "What src imports at run time is among the package's dependencies.",
      { path: "^src/" },
      { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["type-only"] },
    ),
    forbid(
      "tracing-is-light",
      "Who installs graph-deploy/tracing into an agent loads zod and undici, and no other package.",
      { path: "^src/tracing/index\\.ts$" },
      { path: "node_modules/(?!(zod|undici)/)", reachable: true },
    ),
    // What stands before the bundle of the plugin imports it, and there is none among the sources.
    forbid(
      "no-lost-imports",
      "An import leads nowhere.",
      { pathNot: "^pulumi-provider/plugin/start\\.cjs$" },
      { couldNotResolve: true },
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: {
      path: "^(action/dist|build|test/fixtures|test/peers/(projects|readers|tracers)|test/workflow/fixtures)/",
    },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "types", "default"],
      extensions: [".ts", ".js", ".mjs", ".json"],
    },
  },
};
