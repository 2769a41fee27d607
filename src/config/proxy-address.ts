// Which addresses a provider's `proxy_url` may have (behaviour 3.5).

const schemes = ["http:", "https:", "socks5:", "socks5h:"];

/** What is wrong with it; undefined when it can be used. Scheme, host, optional port and credentials, nothing else. */
export function proxyComplaint(address: string): string | undefined {
  if (!URL.canParse(address)) return "is not an address such as socks5://host:1080";
  const url = new URL(address);
  if (!schemes.includes(url.protocol)) return `must begin with ${schemes.map((scheme) => `${scheme}//`).join(", ")}`;
  if (url.hostname === "") return "has no host";
  const bare = (url.pathname === "" || url.pathname === "/") && url.search === "" && url.hash === "";
  return bare ? undefined : "must end after the host and port";
}
