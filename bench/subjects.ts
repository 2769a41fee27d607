// What stands between load and upstream in a scenario: the gateway, the bare proxies, and nothing at all.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Child, freePort, startChild, whenListening } from "./child-process.ts";
import { onCore } from "./cores.ts";
import { type BenchDialect, pathOfDialect } from "./dialect.ts";
import { gatewayEnvironment, type GatewayVariant, gatewayYaml } from "./gateway-settings.ts";
import { nginxConfiguration } from "./nginx-configuration.ts";

export const subjectNames = ["straight", "fetch proxy", "nginx", "gateway"] as const;
export type SubjectName = (typeof subjectNames)[number];

export interface Subject {
  readonly name: SubjectName;
  readonly port: number;
  /** Undefined: nothing is measured but what the load sees. */
  readonly pid: number | undefined;
  /** Where requests are sent. */
  readonly path: string;
  stop(): Promise<void>;
}

export interface SubjectSettings {
  readonly upstreamPort: number;
  /** Which answer of `upstream.ts` the bare proxies and the straight way get. */
  readonly answer: string;
  readonly gateway: GatewayVariant;
  /** What the gateway is asked in; all others are asked in what its providers speak. Default: chat completions. */
  readonly caller?: BenchDialect;
  /** Undefined: any. */
  readonly core: number | undefined;
  /** More for the gateway. Default: none. */
  readonly gatewayEnv?: Readonly<Record<string, string>>;
}

const root = dirname(import.meta.dir);

/** What is left of them when the benchmark is interrupted goes with it. */
const folders = new Set<string>();
process.on("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Which of them this machine has. */
export function availableSubjects(): readonly SubjectName[] {
  return subjectNames.filter((name) => name !== "nginx" || Bun.which("nginx") !== null);
}

/** Resolves when it listens. */
export async function startSubject(name: SubjectName, settings: SubjectSettings): Promise<Subject> {
  const { upstreamPort, answer, caller = "chat-completions" } = settings;
  const path = `/${answer}/v1/${pathOfDialect[settings.gateway.provider ?? "chat-completions"]}`;
  switch (name) {
    case "straight":
      return { name, port: upstreamPort, pid: undefined, path, stop: async () => {} };
    case "fetch proxy":
      return startProcess(name, path, settings, ({ port }) => ({
        command: [process.execPath, join(root, "bench/bare-proxy.ts"), String(port), String(upstreamPort)],
        env: { BUN_CONFIG_MAX_HTTP_REQUESTS: "65535" },
      }));
    case "nginx":
      return startProcess(name, path, settings, ({ port, folder }) => {
        writeFileSync(join(folder, "nginx.conf"), nginxConfiguration(port, upstreamPort, folder));
        return { command: ["nginx", "-p", folder, "-c", join(folder, "nginx.conf")], env: {} };
      });
    case "gateway":
      return startProcess(name, `/v1/${pathOfDialect[caller]}`, settings, ({ port, folder }) => {
        const file = join(folder, "config.yaml");
        writeFileSync(file, gatewayYaml(settings.gateway, upstreamPort));
        return {
          command: [join(root, "bin/gomodel"), "--config", file],
          env: { ...gatewayEnvironment(settings.gateway, port, folder), ...settings.gatewayEnv },
        };
      });
  }
}

/** The upstream of all of them. */
export async function startUpstream(): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const port = freePort();
  const folder = newFolder("upstream");
  const child = startChild({
    command: [process.execPath, join(root, "bench/upstream.ts"), String(port)],
    cwd: folder,
    env: {},
    outputFile: join(folder, "output.log"),
  });
  await whenListening(port);
  return { port, stop: () => stopIn(folder, child) };
}

async function startProcess(
  name: SubjectName,
  path: string,
  { core }: SubjectSettings,
  prepare: (place: { port: number; folder: string }) => {
    readonly command: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  },
): Promise<Subject> {
  const port = freePort();
  const folder = newFolder(name.replace(" ", "-"));
  mkdirSync(join(folder, "logs"));
  const { command, env } = prepare({ port, folder });
  // A file takes the log lines, as a service manager's or a container's would.
  const child = startChild({
    command: onCore(core, command),
    cwd: folder,
    env,
    outputFile: join(folder, "output.log"),
  });
  try {
    await whenListening(port);
  } catch (error) {
    await child.stop();
    const said = readFileSync(join(folder, "output.log"), "utf8").slice(-2000);
    throw new Error(`${name} does not listen: ${said || String(error)}`);
  }
  return { name, port, pid: child.pid, path, stop: () => stopIn(folder, child) };
}

function newFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `gomodel-bench-${name}-`));
  folders.add(folder);
  return folder;
}

async function stopIn(folder: string, child: Child): Promise<void> {
  await child.stop();
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
}
