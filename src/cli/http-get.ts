// The one request that the command line sends: to the gateway on this machine.

/** Follows no redirect. Rejects when there is no answer within `timeoutMs`. */
export async function httpGet(
  url: string,
  timeoutMs: number,
): Promise<{ readonly status: number; readonly body: string }> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: "manual" });
  return { status: response.status, body: await response.text() };
}
