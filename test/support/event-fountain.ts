// An upstream whose streams go on for as long as their reader takes them.

export interface EventFountain {
  readonly port: number;
  /** Bytes of answers that the kernel took, over all connections. */
  readonly sent: number;
  /** Connections that are open now. */
  readonly open: number;
  /** Every stream, also a later one, ends properly with its next event. */
  finish(): void;
  stop(): void;
}

interface Stream {
  unsent: Uint8Array;
  ended: boolean;
  asked: boolean;
}

const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
const event = chunk(delta({ content: "x".repeat(16_000) }, null));
const ending = Buffer.concat([chunk(delta({}, "stop")), chunk("data: [DONE]\n\n"), Buffer.from("0\r\n\r\n")]);

/** Listens on a free port of 127.0.0.1; every request is for a stream. */
export function startEventFountain(): EventFountain {
  let sent = 0;
  let open = 0;
  let finishing = false;
  const pump = (socket: Bun.Socket<Stream>): void => {
    const stream = socket.data;
    // A bounded run per turn of the event loop, so that a quick reader does not starve everybody else.
    for (let writes = 0; writes < 16; writes++) {
      if (stream.unsent.length === 0) {
        if (stream.ended) return;
        stream.ended = finishing;
        stream.unsent = finishing ? ending : event;
      }
      const taken = socket.write(stream.unsent);
      if (taken < 0) return;
      sent += taken;
      stream.unsent = stream.unsent.subarray(taken);
      if (stream.unsent.length > 0) return;
    }
    setImmediate(() => pump(socket));
  };
  const listener = Bun.listen<Stream>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        open++;
        socket.data = { unsent: Buffer.from(head), ended: false, asked: false };
      },
      data(socket) {
        if (socket.data.asked) return;
        socket.data.asked = true;
        pump(socket);
      },
      drain: pump,
      close(socket) {
        open--;
        socket.data.ended = true;
        socket.data.unsent = new Uint8Array(0);
      },
      error() {},
    },
  });
  return {
    port: listener.port,
    get sent() {
      return sent;
    },
    get open() {
      return open;
    },
    finish() {
      finishing = true;
    },
    stop: () => listener.stop(true),
  };
}

function delta(fields: object, finishReason: string | null): string {
  const choices = [{ index: 0, delta: fields, finish_reason: finishReason }];
  return `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices })}\n\n`;
}

function chunk(text: string): Buffer {
  return Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
}
