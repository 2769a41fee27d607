// Processes that the benchmark starts: they come up, they go down, and none of them outlives it.

import { closeSync, openSync } from "node:fs";

export interface Child {
  readonly pid: number;
  /** SIGTERM, and SIGKILL for who does not listen. Resolves when it is gone. */
  stop(): Promise<void>;
}

export interface ChildSettings {
  readonly command: readonly string[];
  readonly cwd: string;
  /** Besides `PATH`, which is the benchmark's; nothing else is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Both of its streams go there. */
  readonly outputFile: string;
}

const patienceMs = 8000;
const running = new Set<ReturnType<typeof Bun.spawn>>();

process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));

export function startChild({ command, cwd, env, outputFile }: ChildSettings): Child {
  const output = openSync(outputFile, "a");
  const child = Bun.spawn([...command], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdin: "ignore",
    stdout: output,
    stderr: output,
  });
  closeSync(output);
  running.add(child);
  const ended = child.exited.then(() => running.delete(child));
  return {
    pid: child.pid,
    async stop() {
      const timer = setTimeout(() => child.kill("SIGKILL"), patienceMs);
      child.kill("SIGTERM");
      await ended;
      clearTimeout(timer);
    },
  };
}

/** A port of the loopback address that nobody listens on. */
export function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = listener;
  listener.stop(true);
  return port;
}

/** Resolves when the port accepts connections. Throws after some seconds. */
export async function whenListening(port: number): Promise<void> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      (await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } })).end();
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
      await Bun.sleep(2);
    }
  }
}
