import { registerHooks } from "node:module";

// @actions/workflow-parser imports its schema as JSON without the import attribute that Node asks for, because it is
// made for bundlers. This hook adds the attribute. Import this file before the packages, which then need `import()`.
registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    if (!resolved.url.endsWith(".json")) return resolved;
    return { ...resolved, importAttributes: { ...resolved.importAttributes, type: "json" } };
  },
});
