// A proxy for tests: CONNECT or SOCKS5, over TCP or TLS, always to the same local port whatever name it is asked for.

import type { Certificate } from "./certificate.ts";

export interface TunnelProxyOptions {
  readonly kind: "http" | "socks5";
  readonly targetPort: number;
  readonly tls?: Certificate | undefined;
  /** Demands these. */
  readonly credentials?: { readonly username: string; readonly password: string };
  /** Said in place of opening the tunnel; the connection stays open. */
  readonly refusal?: string;
}

export interface TunnelProxy {
  readonly port: number;
  /** Destinations as they were asked for, `host:port`. */
  readonly asked: string[];
  readonly connections: number;
  stop(): void;
}

interface Client {
  said: Buffer;
  stage: "greeting" | "login" | "request" | "open";
  readonly down: Outlet;
  up: Outlet | undefined;
}

/** Writes everything in the end, however little the socket takes at a time. */
class Outlet {
  readonly #socket: Bun.Socket<Client>;
  #waiting: Buffer = Buffer.alloc(0);
  #ending = false;

  constructor(socket: Bun.Socket<Client>) {
    this.#socket = socket;
  }

  write(data: string | Uint8Array): void {
    this.#waiting = Buffer.concat([this.#waiting, typeof data === "string" ? Buffer.from(data, "latin1") : data]);
    this.flush();
  }

  end(): void {
    this.#ending = true;
    this.flush();
  }

  flush(): void {
    while (this.#waiting.length > 0) {
      const taken = this.#socket.write(this.#waiting);
      if (taken <= 0) return;
      this.#waiting = this.#waiting.subarray(taken);
    }
    if (this.#ending) this.#socket.end();
  }
}

export function startTunnelProxy(options: TunnelProxyOptions): TunnelProxy {
  const asked: string[] = [];
  let connections = 0;
  const open = (client: Client, answer: string | Uint8Array): void => {
    client.stage = "open";
    void Bun.connect<Client>({
      hostname: "127.0.0.1",
      port: options.targetPort,
      data: client,
      socket: {
        open(upstream) {
          client.up = new Outlet(upstream);
          client.down.write(answer);
        },
        data: (_, bytes) => client.down.write(bytes),
        drain: () => client.up?.flush(),
        close: () => client.down.end(),
      },
    });
  };
  const listener = Bun.listen<Client>({
    hostname: "127.0.0.1",
    port: 0,
    ...(options.tls === undefined ? {} : { tls: options.tls }),
    socket: {
      open(socket) {
        connections++;
        const stage = options.kind === "http" ? "request" : "greeting";
        socket.data = { said: Buffer.alloc(0), stage, down: new Outlet(socket), up: undefined };
      },
      data(socket, bytes) {
        const client = socket.data;
        if (client.stage === "open") return client.up?.write(bytes);
        client.said = Buffer.concat([client.said, bytes]);
        if (options.kind === "http") http(socket, client);
        else socks(socket, client);
      },
      drain: (socket) => socket.data.down.flush(),
      close: (socket) => socket.data.up?.end(),
      error() {},
    },
  });

  function http(socket: Bun.Socket<Client>, client: Client): void {
    const text = client.said.toString("latin1");
    if (!text.endsWith("\r\n\r\n")) return;
    asked.push(/^CONNECT (\S+) HTTP\/1\.1\r\n/.exec(text)?.[1] ?? text);
    const { username, password } = options.credentials ?? {};
    const login = `proxy-authorization: Basic ${Buffer.from(`${username}:${password}`).toString("base64")}\r\n`;
    if (options.refusal !== undefined) return void socket.write(options.refusal);
    if (options.credentials !== undefined && !text.includes(login)) {
      return void socket.write("HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n");
    }
    open(client, "HTTP/1.1 200 Connection established\r\n\r\n");
  }

  function socks(socket: Bun.Socket<Client>, client: Client): void {
    const said = client.said;
    client.said = Buffer.alloc(0);
    switch (client.stage) {
      case "greeting": {
        const method = options.credentials === undefined ? 0 : 2;
        client.stage = method === 2 ? "login" : "request";
        return void socket.write(Buffer.of(5, said.subarray(2).includes(method) ? method : 255));
      }
      case "login": {
        const username = said.subarray(2, 2 + (said[1] ?? 0)).toString();
        const password = said.subarray(3 + (said[1] ?? 0)).toString();
        const right = username === options.credentials?.username && password === options.credentials.password;
        client.stage = "request";
        return void socket.write(Buffer.of(1, right ? 0 : 1));
      }
      case "request": {
        asked.push(destination(said));
        if (options.refusal !== undefined) return void socket.write(Buffer.from(options.refusal, "latin1"));
        return open(client, Buffer.of(5, 0, 0, 1, 127, 0, 0, 1, 0, 80));
      }
      case "open":
        return;
    }
  }

  return {
    port: listener.port,
    asked,
    get connections() {
      return connections;
    },
    stop: () => listener.stop(true),
  };
}

function destination(request: Buffer): string {
  const port = request.readUInt16BE(request.length - 2);
  const address = request.subarray(4, request.length - 2);
  if (request[3] === 1) return `${address.join(".")}:${port}`;
  if (request[3] === 4) return `[${address.toString("hex")}]:${port}`;
  return `${address.subarray(1).toString()}:${port}`;
}
