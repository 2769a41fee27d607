// The entry of the database thread: its first message says where the database is, all others are calls.

import { DatabaseService } from "./database-service.ts";
import type { Call, WorkerSettings } from "./worker-protocol.ts";

declare const self: Worker;

let service: DatabaseService | undefined;

self.onmessage = (event: MessageEvent<WorkerSettings | Call>) => {
  const message = event.data;
  if (!("kind" in message)) service = new DatabaseService(message);
  else void service?.answer(message).then((reply) => self.postMessage(reply));
};
