// The HTTP clients that providers share: one for all that need no proxy, and one per proxy address.

import type { Clock } from "./core/clock.ts";
import type { ProviderConfig } from "./core/provider-config.ts";
import { createHttpClient, type HttpClient } from "./providers/upstream/client.ts";
import { proxyFromEnvironment } from "./providers/upstream/proxy-from-environment.ts";

export interface ProviderClients {
  /** The provider's own `proxy_url`, else what the process-wide variables ask for. */
  of(provider: ProviderConfig): HttpClient;
  openSockets(): number;
  close(): void;
}

export function createClients(env: Readonly<Record<string, string | undefined>>, clock: Clock): ProviderClients {
  const clients = new Map<string, HttpClient>();
  return {
    of({ proxyUrl, baseUrl }) {
      const proxy = proxyUrl ?? proxyFromEnvironment(env, baseUrl);
      const known = clients.get(proxy ?? "");
      if (known !== undefined) return known;
      const client = createHttpClient({ clock, proxyUrl: proxy });
      clients.set(proxy ?? "", client);
      return client;
    },
    openSockets: () => [...clients.values()].reduce((sum, client) => sum + client.openSockets, 0),
    close() {
      for (const client of clients.values()) client.close();
    },
  };
}
