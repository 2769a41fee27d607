// The house's own lint rules: what oxlint's built-in ones cannot say.

import path from "node:path";
import { importProblem, isTest } from "./import-rule.mjs";

/** Where code may use what only Bun has, and where it may open connections of its own. */
const bunOnly = /^src\/(main\.ts$|http\/listener\/|providers\/upstream\/|store\/|upstream-simulator\/)/;
const mayFetch = /^src\/(providers\/upstream\/|upstream-simulator\/|cli\/)/;

const vagueNames = ["utils", "util", "helpers", "helper", "types", "constants", "common", "misc", "shared"];

function fileOf(context) {
  return path.relative(context.cwd, context.filename).split(path.sep).join("/");
}

/** Calls `check(node, specifier)` for every way in which a file can name another. */
function onImports(check) {
  const visit = (node) => {
    if (typeof node.source?.value === "string") check(node, node.source.value);
  };
  return {
    ImportDeclaration: visit,
    ExportNamedDeclaration: visit,
    ExportAllDeclaration: visit,
    ImportExpression: visit,
    TSImportType: visit,
  };
}

const importRule = {
  create(context) {
    const file = fileOf(context);
    return onImports((node, specifier) => {
      const message = importProblem(file, specifier);
      if (message !== undefined) context.report({ node, message });
    });
  },
};

const bunRule = {
  create(context) {
    const file = fileOf(context);
    if (!file.startsWith("src/") || bunOnly.test(file) || isTest(file)) return {};
    const message = "what only Bun has stays in main.ts, http/listener, providers/upstream, store and the simulator";
    return {
      ...onImports((node, specifier) => {
        if (specifier === "bun" || specifier.startsWith("bun:")) context.report({ node, message });
      }),
      Identifier(node) {
        if (node.name !== "Bun") return;
        const { parent } = node;
        const isMemberName = parent.type === "MemberExpression" && parent.property === node && !parent.computed;
        const isKey = parent.type === "Property" && parent.key === node && !parent.computed && !parent.shorthand;
        if (isKey || (isMemberName && parent.object.name !== "globalThis")) return;
        context.report({ node, message });
      },
    };
  },
};

const fetchRule = {
  create(context) {
    const file = fileOf(context);
    if (!file.startsWith("src/") || mayFetch.test(file) || isTest(file)) return {};
    return {
      CallExpression(node) {
        const { callee } = node;
        const isFetch =
          (callee.type === "Identifier" && callee.name === "fetch") ||
          (callee.type === "MemberExpression" &&
            callee.object.name === "globalThis" &&
            callee.property.name === "fetch");
        if (isFetch) context.report({ node, message: "only providers/upstream opens a connection to a provider" });
      },
    };
  },
};

/** A test that is switched off proves nothing, and `.only` switches off all the others. */
const everyTestRuns = {
  create(context) {
    return {
      MemberExpression(node) {
        if (node.object.type !== "Identifier" || !["test", "it", "describe"].includes(node.object.name)) return;
        if (node.computed || !/^(only|skip|todo|failing|skipIf|todoIf|if)$/.test(node.property.name)) return;
        context.report({ node, message: `every test runs: no ${node.object.name}.${node.property.name}` });
      },
    };
  },
};

const fileShape = {
  create(context) {
    const name = path.basename(context.filename).replace(/(\.(test|long|d))?\.(ts|mjs)$/, "");
    const loc = { start: { line: 1, column: 0 }, end: { line: 1, column: 1 } };
    return {
      Program() {
        if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || vagueNames.includes(name)) {
          context.report({ loc, message: `"${name}" is no name for a file: kebab-case, after what it owns` });
        }
        const { text } = context.sourceCode;
        if (!isTest(fileOf(context)) && !/^\/\/ \S/.test(text)) {
          context.report({ loc, message: "the first line is a comment that says the file's one reason" });
        }
      },
    };
  },
};

export default {
  meta: { name: "house" },
  rules: {
    "import-rule": importRule,
    "bun-only": bunRule,
    "no-fetch": fetchRule,
    "every-test-runs": everyTestRuns,
    "file-shape": fileShape,
  },
};
