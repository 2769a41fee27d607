// The import rule of ARCHITECTURE.md as one table, for values, types and import() alike.

import path from "node:path";

/** What a folder of src/ may import besides itself and core. `packages: false`: nothing from npm or the runtime either. */
const folders = {
  core: { imports: [], packages: false },
  config: { imports: [] },
  dialects: { imports: [] },
  http1: { imports: [] },
  providers: { imports: ["dialects", "http1"] },
  catalog: { imports: [] },
  routing: { imports: [] },
  resilience: { imports: [] },
  gateway: { imports: [], packages: false },
  http: { imports: ["dialects", "gateway", "http1"] },
  admin: { imports: ["store"] },
  store: { imports: [] },
  "upstream-simulator": { imports: [] },
  cli: { imports: ["config", "upstream-simulator"] },
  telemetry: { imports: [] },
};

/** Each of these subfolders of src/dialects is one wire format, and they know nothing of each other. */
const dialects = ["chat-completions", "embeddings", "responses", "messages", "gemini", "cohere", "bedrock", "ollama"];

/** Tests and what serves them. */
export function isTest(file) {
  return /\.(test|long)\.ts$/.test(file) || /^(test|bench|scripts)\//.test(file);
}

/** Why `file` must not import `specifier`, or undefined. Both paths are seen from the repository's root. */
export function importProblem(file, specifier) {
  const [top, folder, subfolder] = file.split("/");
  // The files directly in src/ compose the whole and know all of it; no folder may import them.
  if (top !== "src" || subfolder === undefined) return undefined;
  const rule = folders[folder];
  if (rule === undefined) return `src/${folder} has no row in the import rule (scripts/lint/import-rule.mjs)`;
  if (!specifier.startsWith(".")) {
    if (rule.packages !== false || isTest(file)) return undefined;
    return `${folder} imports no package, not even "${specifier}"`;
  }
  const target = path.posix.join(path.posix.dirname(file), specifier);
  const [targetTop, targetFolder, targetSubfolder] = target.split("/");
  if (isTest(file) && targetTop === "test") return undefined;
  if (targetTop !== "src") return `${folder} must not import ${target}`;
  if (targetFolder === "core") return undefined;
  if (targetFolder !== folder) {
    return rule.imports.includes(targetFolder) ? undefined : `${folder} must not import ${targetFolder}`;
  }
  const crossesDialects =
    folder === "dialects" &&
    subfolder !== targetSubfolder &&
    dialects.includes(subfolder) &&
    dialects.includes(targetSubfolder);
  return crossesDialects ? `the dialect ${subfolder} must not import the dialect ${targetSubfolder}` : undefined;
}
