import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const repository = path.dirname(import.meta.dir);
let scratch = "";

beforeAll(() => {
  scratch = realpathSync(mkdtempSync(path.join(tmpdir(), "gomodel launcher ")));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const stub = "#!/bin/sh\necho 'the stub ran' >&2\nexit 1\n";

/** A copy of the launcher beside a main.ts of our own, with Bun's binary or npm's stub in each of the two places. */
function layOut(
  name: string,
  places: { oven: "binary" | "stub" | "none"; package: "binary" | "stub" | "none" },
): string {
  const root = path.join(scratch, name);
  mkdirSync(path.join(root, "src"), { recursive: true });
  cpSync(path.join(repository, "bin"), path.join(root, "bin"), { recursive: true });
  cpSync(path.join(repository, "bunfig.toml"), path.join(root, "bunfig.toml"));
  writeFileSync(
    path.join(root, "src/main.ts"),
    `const { env, argv, pid } = process;
     console.log(JSON.stringify({ argv: argv.slice(2), cwd: process.cwd(), pid, canary: env.CANARY ?? null }));`,
  );
  place(path.join(root, "node_modules/@oven/bun-any/bin/bun"), places.oven);
  place(path.join(root, "node_modules/bun/bin/bun.exe"), places.package);
  return root;
}

function place(file: string, what: "binary" | "stub" | "none"): void {
  mkdirSync(path.dirname(file), { recursive: true });
  if (what === "binary") symlinkSync(process.execPath, file);
  if (what === "stub") {
    writeFileSync(file, stub);
    chmodSync(file, 0o755);
  }
}

function start(file: string, args: string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
  const child = Bun.spawnSync([file, ...args], { cwd, env: { PATH: process.env["PATH"] ?? "", HOME: cwd, ...env } });
  return { status: child.exitCode, pid: child.pid, stdout: child.stdout.toString(), stderr: child.stderr.toString() };
}

test("works through symlinks, from any directory, with its arguments as they are and as the same process", () => {
  const root = layOut("through symlinks", { oven: "binary", package: "none" });
  symlinkSync("../through symlinks/bin/gomodel", path.join(root, "relative"));
  symlinkSync(path.join(root, "relative"), path.join(root, "absolute"));
  const elsewhere = path.join(scratch, "elsewhere");
  mkdirSync(elsewhere);
  const { status, stdout, pid } = start(
    path.join(root, "absolute"),
    ["--config", "a b.yaml", "--check", ""],
    elsewhere,
  );
  expect(JSON.parse(stdout)).toEqual({
    argv: ["--config", "a b.yaml", "--check", ""],
    cwd: elsewhere,
    pid,
    canary: null,
  });
  expect(status).toBe(0);
});

test("takes nothing from the caller's directory or home: no .env files, no preloads", () => {
  const root = layOut("untouched", { oven: "binary", package: "none" });
  const elsewhere = path.join(scratch, "hostile");
  mkdirSync(elsewhere);
  writeFileSync(path.join(elsewhere, ".env"), "CANARY=env\n");
  writeFileSync(path.join(elsewhere, ".env.local"), "CANARY=local\n");
  writeFileSync(path.join(elsewhere, "preload.ts"), "process.env.CANARY = 'preload';\n");
  for (const name of ["bunfig.toml", ".bunfig.toml"])
    writeFileSync(path.join(elsewhere, name), 'preload = ["./preload.ts"]\n');
  expect(JSON.parse(start(path.join(root, "bin/gomodel"), [], elsewhere).stdout).canary).toBeNull();
});

test("tells the runtime of 1 GiB of memory, how to collect, and 65535 requests at a time, unless its environment says otherwise", () => {
  const root = layOut("runtime settings", { oven: "binary", package: "none" });
  writeFileSync(
    path.join(root, "src/main.ts"),
    `const { env } = process;
     console.log(
       env.BUN_JSC_forceRAMSize,
       env.BUN_JSC_useConcurrentGC,
       env.MIMALLOC_PURGE_DELAY,
       env.MIMALLOC_PURGE_HOLES_MIN_INTERVAL,
       env.BUN_CONFIG_MAX_HTTP_REQUESTS,
     );`,
  );
  const file = path.join(root, "bin/gomodel");
  expect(start(file, [], root).stdout).toBe("1073741824 0 100 1000 65535\n");
  const own = {
    BUN_JSC_forceRAMSize: "536870912",
    BUN_JSC_useConcurrentGC: "1",
    MIMALLOC_PURGE_DELAY: "10",
    MIMALLOC_PURGE_HOLES_MIN_INTERVAL: "20",
    BUN_CONFIG_MAX_HTTP_REQUESTS: "300",
  };
  expect(start(file, [], root, own).stdout).toBe("536870912 1 10 20 300\n");
});

test("where install scripts did not run, the binary of the platform's package is taken and not the stub", () => {
  const root = layOut("no scripts", { oven: "binary", package: "stub" });
  expect(start(path.join(root, "bin/gomodel"), [], root).status).toBe(0);
});

test("where Bun's install script moved the binary, it is found in its new place", () => {
  const root = layOut("moved", { oven: "none", package: "binary" });
  expect(start(path.join(root, "bin/gomodel"), [], root).status).toBe(0);
});

test("without a binary it says what to do and exits with 127", () => {
  const root = layOut("missing", { oven: "none", package: "stub" });
  const { status, stdout, stderr } = start(path.join(root, "bin/gomodel"), [], root);
  expect(stderr).toContain("run `npm install`");
  expect(stderr).not.toContain("the stub ran");
  expect(stdout).toBe("");
  expect(status).toBe(127);
});
