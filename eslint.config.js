import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

const product = ["src/**/*.ts", "action/**/*.ts", "pulumi-provider/**/*.ts"];
const tests = ["test/**/*.ts", "bench/**/*.ts"];

const noProcess =
  "Only a door's main.ts, post.ts, inputs.ts or index.ts and src/local/main.ts see the process; take what you need as an argument.";

export default defineConfig(
  globalIgnores([
    "action/dist/",
    "build/",
    "coverage/",
    ".graph-deploy/",
    ".stage-*/",
    "examples/",
    "test/fixtures/results/",
  ]),
  { linterOptions: { reportUnusedDisableDirectives: "error", reportUnusedInlineConfigs: "error" } },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-import-type-side-effects": "error",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // `_name` says that a parameter is there for the signature only.
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", ignoreRestSiblings: true }],
      // tsconfig's noPropertyAccessFromIndexSignature asks for the brackets that this rule would take away.
      "@typescript-eslint/dot-notation": "off",
      // An async function without await still turns a throw into a rejection, as its callers expect.
      "@typescript-eslint/require-await": "off",
      eqeqeq: ["error", "always", { null: "ignore" }],
    },
  },
  {
    files: product,
    rules: {
      "no-console": "error",
      "no-restricted-globals": ["error", { name: "process", message: noProcess }],
      "no-restricted-imports": ["error", { name: "node:process", message: noProcess }],
      "@typescript-eslint/no-unsafe-type-assertion": "error",
      "max-lines": ["error", { max: 250, skipComments: true }],
    },
  },
  {
    files: ["action/*/{inputs,main,post}.ts", "pulumi-provider/{index,main}.ts", "src/local/main.ts"],
    rules: { "no-restricted-globals": "off", "no-restricted-imports": "off" },
  },
  {
    files: tests,
    rules: {
      // What vitest's matchers give is any: expect.any(String) stands where a value would.
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/no-confusing-void-expression": "off",
      "@typescript-eslint/no-empty-function": "off",
      "@typescript-eslint/restrict-template-expressions": "off",
      "@typescript-eslint/unbound-method": "off",
    },
  },
  {
    files: ["**/*.{js,mjs,cjs}"],
    languageOptions: { globals: { process: "readonly", console: "readonly", URL: "readonly" } },
  },
  {
    files: ["**/*.cjs"],
    languageOptions: { sourceType: "commonjs", globals: { module: "writable", require: "readonly" } },
  },
);
