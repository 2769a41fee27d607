// Which path a request is for, and whether its Host header may be believed to be one.

/** Host names, IPv4, bracketed IPv6, a port: anything else is how requests are smuggled past a proxy. */
const hostPattern = /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** Two Host headers arrive joined by a comma and fail here. */
export function isValidHost(host: string | null): boolean {
  return host !== null && hostPattern.test(host);
}

/** The path of `url`, absolute and as the server gives it, without the query and without `basePath`; undefined outside of it. */
export function pathOf(url: string, basePath: string): string | undefined {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  if (start === -1) return basePath === "" ? "/" : undefined;
  let end = url.indexOf("?", start);
  if (end === -1) end = url.length;
  const hash = url.indexOf("#", start);
  if (hash !== -1 && hash < end) end = hash;
  const path = url.slice(start, end);
  if (basePath === "") return path;
  if (path === basePath) return "/";
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : undefined;
}
