// Loaded before a program or a host. Pulumi's SDK loads npm's installer and the TypeScript compiler when it starts, which
// is more than half of what its start costs, and few runs use them: here each is loaded when something of it is used.
const Module = require("node:module");

const USED_LATER = /@pulumi[\\/]pulumi[\\/](?:runtime[\\/]closure[\\/]codePaths|typescript-shim)\.js$/;
const PACKAGE = /^@npmcli\/arborist$|^typescript$|[\\/]typescript\.js$/;
const load = Module._load;

Module._load = function (request, parent, isMain) {
  const loaded = () => load.call(this, request, parent, isMain);
  if (!PACKAGE.test(request) || !USED_LATER.test(parent?.filename ?? "")) return loaded();
  // The shim takes another compiler when this one is not installed.
  Module._resolveFilename(request, parent, isMain);
  // A module that says it was an ES module is taken as it is; of any other, an import takes all properties at once.
  return new Proxy({}, { get: (_, name) => (name === "__esModule" ? true : loaded()[name]) });
};
