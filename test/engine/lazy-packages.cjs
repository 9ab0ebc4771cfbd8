// Loaded before a program or a host. Pulumi's SDK loads what few runs use when it starts: npm's installer, the TypeScript
// compiler, the automation API, exporters of traces, and an inspector that hears of every script. That is more than half
// of what its start costs. Here each is loaded when something of it is used; so are the parts of undici that no request of
// this project takes: its fetch, its web sockets, its mocks. Source maps of the SDK are not loaded at all:
// reading them for each stack is a quarter of what is left, and no test looks at a line of the SDK's sources.
const Module = require("node:module");

const load = Module._load;

Module._load = function (request, parent, isMain) {
  const loaded = () => load.call(this, request, parent, isMain);
  const rule = RULES.find(({ by, what }) => what.test(request) && by.test(parent?.filename ?? ""));
  if (rule === undefined) return loaded();
  // The caller takes another package when this one is not installed.
  Module._resolveFilename(request, parent, isMain);
  return rule.instead(loaded);
};

// A module that says it was an ES module is taken as it is; of any other, an import takes all properties at once.
const whenRead = (loaded) =>
  new Proxy(
    {},
    { get: (_, name) => (name === "__esModule" ? true : loaded()[name]), has: (_, name) => name in loaded() },
  );

/** Functions and classes that were taken out of the module beforehand. */
const whenCalled = (loaded) =>
  new Proxy(
    {},
    {
      get: (_, name) =>
        new Proxy(class {}, {
          apply: (_target, self, args) => Reflect.apply(loaded()[name], self, args),
          construct: (_target, args) => Reflect.construct(loaded()[name], args),
        }),
    },
  );

// Only what serializes a function asks where it came from. The session must hear of the scripts that are there already.
const inspectLater = () => {
  const scripts = new Map();
  let session;
  const getSessionAsync = () => (session ??= open(scripts));
  return {
    __esModule: true,
    getSessionAsync,
    isInitializedAsync: () => Promise.resolve(),
    getScriptUrl: (id) => scripts.get(id),
  };
};

async function open(scripts) {
  const { Session } = require("node:inspector");
  const { promisify } = require("node:util");
  const session = new Session();
  session.connect();
  session.on("Debugger.scriptParsed", ({ params }) => scripts.set(params.scriptId, params.url));
  await promisify(session.post).call(session, "Debugger.enable");
  return session;
}

/** A package that is one function. */
const whenRun =
  (loaded) =>
  (...args) =>
    loaded()(...args);

const never = () => ({});

// undici makes one of these when it is loaded.
const emptyCaches = () => ({ CacheStorage: class {} });

const RULES = [
  { what: /^source-map-support\/register$/, by: /@pulumi[\\/]pulumi[\\/]cmd[\\/]/, instead: never },
  { what: /^normalize-package-data$/, by: /runtime[\\/]closure[\\/]codePaths\.js$/, instead: whenRun },
  { what: /^@npmcli\/arborist$/, by: /runtime[\\/]closure[\\/]codePaths\.js$/, instead: whenRead },
  { what: /^typescript$|[\\/]typescript\.js$/, by: /@pulumi[\\/]pulumi[\\/]typescript-shim\.js$/, instead: whenRead },
  { what: /^\.\/automation$/, by: /@pulumi[\\/]pulumi[\\/]index\.js$/, instead: whenRead },
  { what: /^@opentelemetry\/(?!api$)/, by: /pulumi[\\/]cmd[\\/]run[\\/]tracing\.js$/, instead: whenCalled },
  { what: /^(?:semver|@opentelemetry\/api)$/, by: /@pulumi[\\/]pulumi[\\/]/, instead: whenRead },
  { what: /^\.\/lib\/web\/cache\/cachestorage$/, by: /undici[\\/]index\.js$/, instead: emptyCaches },
  { what: /^\.\/lib\/(?:mock|web)\//, by: /undici[\\/]index\.js$/, instead: whenCalled },
  { what: /[\\/]v8Hooks$/, by: /@pulumi[\\/]pulumi[\\/]/, instead: inspectLater },
];
