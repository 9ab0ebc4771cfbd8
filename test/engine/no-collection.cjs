// Loaded before a host: it begins with a collection of garbage, since starting Pulumi's SDK as users do leaves 30 MB of it.
// Here little is loaded, and the collection would be a tenth of what a host costs.
const v8 = require("node:v8");
const { syncBuiltinESMExports } = require("node:module");

const { setFlagsFromString } = v8;

v8.setFlagsFromString = (flag) => {
  if (flag !== "--expose-gc") setFlagsFromString(flag);
};
syncBuiltinESMExports();
