// `--health` and `--ready`: asks the gateway on this machine how it is (behaviour 10.13).

import type { Outcome } from "./outcome.ts";

export interface ProbeOptions {
  readonly probe: "health" | "ready";
  /** `server.host`; a wildcard means the loopback address. */
  readonly host: string;
  readonly port: number;
  /** `/gateway`, or empty for the root. */
  readonly basePath: string;
  readonly timeoutMs: number;
  /** A GET, given up after `timeoutMs`; rejects when there is no answer. */
  readonly get: (url: string, timeoutMs: number) => Promise<{ readonly status: number; readonly body: string }>;
}

const expectations = {
  health: { path: "/health", statuses: ["ok"] },
  ready: { path: "/health/ready", statuses: ["ready", "degraded"] },
} as const;

/** Exit code 0 when the gateway says what is expected, otherwise 1 with the reason on stderr. */
export async function probeGateway(options: ProbeOptions): Promise<Outcome> {
  const { path, statuses } = expectations[options.probe];
  const url = `http://${loopback(options.host)}:${options.port}${options.basePath}${path}`;
  try {
    const { status, body } = await options.get(url, options.timeoutMs);
    const said = statusOf(body);
    // Degraded may come with an error status; what it says decides. Anything else on the port says nothing of the kind.
    const fine = statuses.some((expected) => expected === said) && (options.probe === "ready" || status === 200);
    if (fine) return { exitCode: 0, stdout: `${said}\n`, stderr: "" };
    return failed(
      `${url} answered ${status}${said === undefined ? "" : ` with status "${said}"`}; expected ${statuses.join(" or ")}`,
    );
  } catch (error) {
    return failed(`${url} did not answer: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function loopback(host: string): string {
  if (host === "" || host === "0.0.0.0" || host === "localhost") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}

function statusOf(body: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed !== "object" || parsed === null || !("status" in parsed)) return undefined;
    return typeof parsed.status === "string" ? parsed.status : undefined;
  } catch {
    return undefined;
  }
}

function failed(reason: string): Outcome {
  return { exitCode: 1, stdout: "", stderr: `${reason}\n` };
}
