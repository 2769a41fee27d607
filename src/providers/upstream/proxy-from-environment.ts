// Which proxy the process-wide variables ask for.

/**
 * The value of `HTTP_PROXY` or `HTTPS_PROXY` for a target, undefined when there is none or `NO_PROXY` exempts it. The lower-case spelling
 * wins where both are set. `NO_PROXY` is a list split at commas or spaces: `*`, `host`, `.suffix`, `*.suffix`, each with an optional
 * port; a plain name also exempts everything below it. Local addresses are always exempt, as in Go's rules.
 */
export function proxyFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  targetUrl: string,
): string | undefined {
  const url = URL.parse(targetUrl);
  if (url === null) return undefined;
  const name = url.protocol === "https:" ? "https_proxy" : url.protocol === "http:" ? "http_proxy" : undefined;
  if (name === undefined) return undefined;
  const proxy = variable(environment, name);
  if (proxy === undefined) return undefined;
  const host = url.hostname.toLowerCase().replace(/\.$/, "");
  if (host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host)) return undefined;
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  const exempt = (variable(environment, "no_proxy") ?? "").toLowerCase().split(/[\s,]+/);
  if (exempt.some((entry) => matches(entry, host, port))) return undefined;
  // `proxy.local:3128` without a scheme is what many environments hold.
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

function variable(
  environment: Readonly<Record<string, string | undefined>>,
  lowerCaseName: string,
): string | undefined {
  const value = (environment[lowerCaseName] || environment[lowerCaseName.toUpperCase()])?.trim();
  return value === "" ? undefined : value;
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  // The last colon is a port's unless it belongs to a bare IPv6 address.
  const parts = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? ["", `[${entry}]`];
  const [, name = "", entryPort] = parts;
  if (name === "" || (entryPort !== undefined && entryPort !== port)) return false;
  const suffix = name.replace(/^\*?\./, "");
  if (suffix === "") return false;
  return host.endsWith(`.${suffix}`) || (host === suffix && suffix === name);
}
