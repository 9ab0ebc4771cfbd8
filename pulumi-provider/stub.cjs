"use strict";
// A state holds a require of this, and no code.
const names = ["configure", "check", "diff", "create", "read", "update", "delete"];
const [major, minor] = process.versions.node.split(".").map(Number);
const isOld = major < 22 || (major === 22 && minor < 19);
const tooOld = () =>
  // Pulumi prints name and stack of what is thrown.
  Object.assign(new Error(`graph-deploy needs Node 22.19 or later; this is ${process.versions.node}.`), {
    name: "",
    stack: "",
  });
const load = (type) => {
  if (isOld) throw tooOld();
  return require("graph-deploy/pulumi/provider")[type];
};
const of = (type) => Object.fromEntries(names.map((name) => [name, (...args) => load(type)[name](...args)]));
module.exports = { ...of("deployment"), readiness: of("readiness") };
