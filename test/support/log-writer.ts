// A process that records rows for ever and says after each flush how many it knows to be stored; tests kill it.

import { systemClock } from "../../src/core/clock.ts";
import { createRequestLog } from "../../src/store/request-log.ts";
import { logSettings } from "./request-log.ts";
import { requestRecord } from "./request-record.ts";

const [path = "", prefix = ""] = process.argv.slice(2);
const log = createRequestLog({
  path,
  settings: { ...logSettings, flushRows: 10 },
  clock: systemClock,
  log: (_level, message, fields) => console.error(message, fields),
  providerTypeOf: () => "openai",
});
const body = new TextEncoder().encode(JSON.stringify({ model: "smart", messages: ["hello ".repeat(50)] }));
let recorded = 0;
for (;;) {
  for (let row = 0; row < 50; row++) {
    log.record(requestRecord({ requestId: `${prefix}-${recorded++}`, requestBody: body }));
  }
  await log.flush();
  process.stdout.write(`${recorded - log.queuedRows} ${recorded}\n`);
}
