// The gateway as its users run it: `bin/gomodel` in a process of its own, in a folder of its own.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface GatewayProcess {
  readonly pid: number;
  /** Its working directory; the database is `gomodel.db` in it. */
  readonly folder: string;
  readonly port: number;
  readonly url: string;
  /** What it wrote to stdout, each line parsed. */
  readonly lines: readonly Record<string, unknown>[];
  /** All of stderr so far. */
  readonly stderr: string;
  signal(name: "SIGTERM" | "SIGINT" | "SIGHUP" | "SIGKILL"): void;
  /** Its exit code. */
  readonly exited: Promise<number>;
  /** Kills it if it still runs, and removes the folder. */
  dispose(): Promise<void>;
}

export const gatewayProgram = join(import.meta.dir, "../../bin/gomodel");

/** Nothing of the environment of whoever runs the tests becomes a setting. */
export function cleanEnvironment(folder: string): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: folder };
}

/** A command that ends by itself. */
export async function runGomodel(args: readonly string[], folder: string, env: Readonly<Record<string, string>> = {}) {
  const child = Bun.spawn([gatewayProgram, ...args], {
    cwd: folder,
    env: { ...cleanEnvironment(folder), ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exitCode, stdout, stderr };
}

/** Listens on a free port of the loopback address. Rejects when it ends before, with what it said. */
export async function startGatewayProcess(
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<GatewayProcess> {
  const folder = mkdtempSync(join(tmpdir(), "gomodel-process-"));
  const child = Bun.spawn([gatewayProgram, ...args], {
    cwd: folder,
    env: { ...cleanEnvironment(folder), PORT: "0", HOST: "127.0.0.1", SQLITE_PATH: join(folder, "gomodel.db"), ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  const lines: Record<string, unknown>[] = [];
  let stderr = "";
  const port = new Promise<number>((resolve, reject) => {
    void eachLine(child.stdout, (line) => {
      const parsed: Record<string, unknown> = JSON.parse(line);
      lines.push(parsed);
      if (parsed["msg"] === "gateway listening")
        resolve(Number(/:(\d+)/.exec(String(parsed["address"]).slice(5))?.[1]));
    }).then(() => reject(new Error(`the gateway ended: ${stderr}${JSON.stringify(lines)}`)));
  });
  void eachLine(child.stderr, (line) => {
    stderr += `${line}\n`;
  });
  const dispose = async (): Promise<void> => {
    child.kill("SIGKILL");
    await child.exited;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const listening = await port;
    return {
      pid: child.pid,
      folder,
      port: listening,
      url: `http://127.0.0.1:${listening}`,
      lines,
      get stderr() {
        return stderr;
      },
      signal: (name) => child.kill(name),
      exited: child.exited,
      dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function eachLine(stream: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of stream) {
    text += decoder.decode(bytes, { stream: true });
    const whole = text.split("\n");
    text = whole.pop() ?? "";
    for (const line of whole) take(line);
  }
}
