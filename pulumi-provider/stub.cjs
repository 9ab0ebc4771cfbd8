"use strict";
// A state holds a require of this, and no code.
const names = ["configure", "check", "diff", "create", "read", "update", "delete"];
const load = (type) => require("graph-deploy/pulumi/provider")[type];
const of = (type) => Object.fromEntries(names.map((name) => [name, (...args) => load(type)[name](...args)]));
module.exports = { ...of("deployment"), readiness: of("readiness") };
