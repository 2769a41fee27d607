// Streams whose every event carries the mark of its own request, interleaved upstream in pieces that end anywhere.

import type { AuditEntry } from "../../src/admin/contract.ts";
import { loggedRows } from "../support/logged-rows.ts";
import { modelRequest, openRawConnection } from "../support/raw-exchange.ts";
import { type RawConnection, startRawUpstream } from "../support/raw-upstream.ts";
import { startGateway } from "../support/start-gateway.ts";
import { wholeAnswer } from "./whole-answer.ts";

export interface MarkedOptions {
  readonly connections: number;
  /** Requests on each of them, one after the other. */
  readonly requests: number;
  readonly events: number;
  readonly random: () => number;
}

interface MarkedStream {
  readonly mark: string;
  readonly expected: string;
  /** What its caller got; undefined when it was not whole. */
  readonly body: string | undefined;
  /** All marks of other requests in the row of the request log, bodies included; undefined when there is no row. */
  readonly foreignInRow: readonly string[] | undefined;
  /** The row has the whole answer. */
  readonly rowIsWhole: boolean;
}

interface MarkedFigures {
  readonly streams: readonly MarkedStream[];
  /** Streams under way upstream at the same time, at most. */
  readonly together: number;
}

const markPattern = /mark-\d+-/g;

export async function markedStreams(options: MarkedOptions): Promise<MarkedFigures> {
  const { connections, requests, events, random } = options;
  const upstream = startInterleavingUpstream(events, random);
  const gateway = await startGateway(`
providers:
  raw: { type: openai, base_url: "http://127.0.0.1:${upstream.port}/v1", api_key: k, models: [m] }
models: { configured_provider_models_mode: allowlist }
logging: { log_bodies: true }
`);
  try {
    const answers = await Promise.all(
      Array.from({ length: connections }, async (_, connection) => {
        const client = openRawConnection(gateway.port);
        const got: { mark: string; body: string | undefined }[] = [];
        for (let index = 0; index < requests; index++) {
          const mark = markOf(connection * requests + index);
          client.send(requestWith(mark));
          const { bytes } = await client.receive((soFar) => soFar.text.endsWith("\r\n0\r\n\r\n"), 60_000);
          got.push({ mark, body: wholeAnswer(bytes.toString("latin1"))?.body });
        }
        client.close();
        return got;
      }),
    );
    const rows = await loggedRows(gateway.url, "mark-", connections * requests);
    const streams = await Promise.all(
      answers.flat().map(async ({ mark, body }): Promise<MarkedStream> => {
        const row = rows.find((each) => each.request_id === mark);
        const expected = eventsWith(mark, events).join("");
        if (row === undefined) return { mark, expected, body, foreignInRow: undefined, rowIsWhole: false };
        const response = await fetch(`${gateway.url}/admin/audit/detail?log_id=${row.id}`);
        const detail = (await response.json()) as AuditEntry;
        const found = JSON.stringify(detail).match(markPattern) ?? [];
        const foreignInRow = found.filter((each) => each !== mark);
        return { mark, expected, body, foreignInRow, rowIsWhole: detail.data.response_body === expected };
      }),
    );
    return { streams, together: upstream.together };
  } finally {
    await gateway.stop();
    upstream.stop();
  }
}

function markOf(number: number): string {
  return `mark-${number}-`;
}

function requestWith(mark: string): string {
  return modelRequest("chat/completions", "raw/m", { stream: true, user: mark }, [`x-request-id: ${mark}`]);
}

const done = "data: [DONE]\n\n";

function eventsWith(mark: string, count: number): string[] {
  const data = Array.from({ length: count }, (_, index) => {
    const choices = [
      { index: 0, delta: { content: `${mark}${index} ` }, finish_reason: index === count - 1 ? "stop" : null },
    ];
    return `data: ${JSON.stringify({ id: mark, object: "chat.completion.chunk", choices })}\n\n`;
  });
  return [...data, done];
}

interface Playing {
  readonly connection: RawConnection;
  readonly bytes: string;
  sent: number;
}

/** Each turn, every stream under way gets a piece of random length, in random order. */
function startInterleavingUpstream(events: number, random: () => number) {
  let playing: Playing[] = [];
  let together = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const turn = (): void => {
    for (const stream of playing.toSorted(() => random() - 0.5)) {
      const end = stream.sent + 1 + Math.floor(random() * 150);
      stream.connection.send(stream.bytes.slice(stream.sent, end));
      stream.sent = end;
    }
    playing = playing.filter(({ sent, bytes }) => sent < bytes.length);
    timer = playing.length > 0 ? setTimeout(turn, 1) : undefined;
  };
  const upstream = startRawUpstream({
    request(connection) {
      const mark = [...connection.received.matchAll(/"user":"(mark-\d+-)"/g)].at(-1)?.[1] ?? "";
      const chunks = eventsWith(mark, events).map((event) => `${event.length.toString(16)}\r\n${event}\r\n`);
      const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
      playing.push({ connection, bytes: `${head}${chunks.join("")}0\r\n\r\n`, sent: 0 });
      together = Math.max(together, playing.length);
      timer ??= setTimeout(turn, 1);
    },
  });
  return {
    port: upstream.port,
    get together() {
      return together;
    },
    stop() {
      clearTimeout(timer);
      upstream.stop();
    },
  };
}
