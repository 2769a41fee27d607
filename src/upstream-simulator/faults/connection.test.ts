import { describe, expect, test } from "bun:test";
import { modelRequest, openRawConnection } from "../../../test/support/raw-exchange.ts";
import { testWire, wireRows } from "../../../test/support/wire-table.ts";
import { answerText } from "../answer-text.ts";
import { startSimulator } from "../simulator.ts";

const jsonHead = /^HTTP\/1\.1 200 OK\r\ncontent-type: application\/json\r\ncontent-length: \d+\r\n\r\n/.source;
const streamHead =
  /^HTTP\/1\.1 200 OK\r\ncontent-type: text\/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n/.source;
const endings = ["reset", "fin", "hang"] as const;
const after = { reset: "reset", fin: "fin", hang: "open" } as const;

describe("breaks", () => {
  testWire(
    endings.flatMap((ending) => [
      ...wireRows("buffered", [
        [`${ending}-before-answer`, /^$/, after[ending]],
        [`${ending}-in-headers`, /^HTTP\/1\.1 200 OK\r\ncontent-ty$/, after[ending]],
        [`${ending}-after-headers`, new RegExp(`${jsonHead}$`), after[ending]],
        [`${ending}-in-body`, new RegExp(`${jsonHead}\\{"id":[^\\n]*[^}\\n]$`), after[ending]],
      ]),
      ...wireRows("stream", [
        [`${ending}-before-answer`, /^$/, after[ending]],
        [`${ending}-in-headers`, /^HTTP\/1\.1 200 OK\r\ncontent-ty$/, after[ending]],
        [`${ending}-after-headers`, new RegExp(`${streamHead}$`), after[ending]],
        [
          `${ending}-in-body`,
          new RegExp(`${streamHead}(?:[0-9a-f]+\\r\\ndata: \\{.*\\}\\n\\n\\r\\n){8}$`),
          after[ending],
        ],
      ]),
    ]),
  );
});

describe("after a whole answer", () => {
  testWire(
    wireRows("buffered", [
      ["fin-after-answer", new RegExp(`${jsonHead}\\{.*\\}$`), "fin"],
      ["reset-after-answer", new RegExp(`${jsonHead}\\{.*\\}$`), "reset"],
      ["stale", new RegExp(`${jsonHead}\\{.*\\}$`), "open"],
    ]),
  );

  test("the next request on a stale connection is a reset and no call, a new connection works", async () => {
    const simulator = startSimulator();
    const client = openRawConnection(simulator.port);
    const request = modelRequest("chat/completions", "stale");
    client.send(request);
    await client.receive(({ text }) => text.includes(answerText("stale")));
    client.send(request);
    expect(await client.receive(() => false)).toMatchObject({ text: "", end: "reset" });
    expect(simulator.calls.length).toBe(1);
    const second = openRawConnection(simulator.port);
    second.send(request);
    expect((await second.receive(({ text }) => text.endsWith("}"))).text).toContain(answerText("stale"));
    expect(simulator.calls[0]?.closedByPeerAt).toBeUndefined();
    second.close();
    await simulator.stop();
  });
});
