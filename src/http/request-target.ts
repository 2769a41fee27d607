// Which path a request is for, and whether its Host header may be believed to be one.

/** Host names, IPv4, bracketed IPv6, a port: anything else is how requests are smuggled past a proxy. */
const hostPattern = /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** Two Host headers arrive joined by a comma and fail here. */
export function isValidHost(host: string | null): boolean {
  return host !== null && hostPattern.test(host);
}

/** The path of `target`, without the query and without `basePath`; undefined outside of it. */
export function pathOf(target: string, basePath: string): string | undefined {
  const query = target.indexOf("?");
  const path = query === -1 ? target : target.slice(0, query);
  if (basePath === "") return path;
  if (path === basePath) return "/";
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : undefined;
}
