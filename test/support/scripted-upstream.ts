// An upstream of a few lines: takes whole HTTP requests off a real socket and answers each with the bytes that a test wrote.

import type { Socket } from "bun";

/** One request as it arrived. */
interface ReceivedRequest {
  /** `POST /v1/chat/completions HTTP/1.1`. */
  readonly requestLine: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** What a test does with a connection. */
interface UpstreamConnection {
  write(text: string): void;
  end(): void;
}

type Script = (connection: UpstreamConnection, request: ReceivedRequest, index: number) => void;

export interface ScriptedUpstream {
  readonly port: number;
  readonly requests: readonly ReceivedRequest[];
  /** Connections that are open now. */
  readonly open: number;
  /** What happens with each request from now on. */
  script: Script;
  stop(): void;
}

interface State {
  received: Buffer;
}

/** Listens on a free port of 127.0.0.1. */
export function startScriptedUpstream(): ScriptedUpstream {
  const requests: ReceivedRequest[] = [];
  let open = 0;
  const upstream: { script: Script } = { script: (connection) => connection.end() };
  const server = Bun.listen<State>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        open++;
        socket.data = { received: Buffer.alloc(0) };
      },
      close() {
        open--;
      },
      data(socket, bytes) {
        socket.data.received = Buffer.concat([socket.data.received, bytes]);
        for (let request = takeRequest(socket); request !== undefined; request = takeRequest(socket)) {
          requests.push(request);
          upstream.script(connectionOf(socket), request, requests.length - 1);
        }
      },
    },
  });
  return {
    port: server.port,
    requests,
    get open() {
      return open;
    },
    get script() {
      return upstream.script;
    },
    set script(script) {
      upstream.script = script;
    },
    stop: () => server.stop(true),
  };
}

function connectionOf(socket: Socket<State>): UpstreamConnection {
  return { write: (text) => void socket.write(text), end: () => void socket.end() };
}

function takeRequest(socket: Socket<State>): ReceivedRequest | undefined {
  const text = socket.data.received.toString("latin1");
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd === -1) return undefined;
  const [requestLine = "", ...lines] = text.slice(0, headEnd).split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const length = Number(headers.find(([name]) => name.toLowerCase() === "content-length")?.[1] ?? 0);
  const bodyStart = headEnd + 4;
  if (socket.data.received.length < bodyStart + length) return undefined;
  const body = socket.data.received.toString("utf8", bodyStart, bodyStart + length);
  socket.data.received = socket.data.received.subarray(bodyStart + length);
  return { requestLine, headers, body };
}

/** A whole answer with its length. */
export function answerText(status: number, headers: Readonly<Record<string, string>>, body: string): string {
  const lines = Object.entries({ ...headers, "content-length": String(Buffer.byteLength(body)) });
  return `HTTP/1.1 ${status} X\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`;
}
