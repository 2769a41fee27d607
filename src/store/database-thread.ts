// Starts the runtime's own kind of thread for the database.

import type { StartThread } from "./worker-link.ts";
import { newChunks, type SentChunks } from "./shared-room.ts";
import type { Call, Reply, WorkerSettings } from "./worker-protocol.ts";

/** Each thread is told its settings first. */
export function startDatabaseThread(settings: WorkerSettings): StartThread {
  return (events) => {
    // A small heap: less memory under load, and no cost in time that stood out of the noise.
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { name: "request-log", smol: true });
    let alive = true;
    let sentChunks: SentChunks = [];
    const die = (why: string): void => {
      if (!alive) return;
      alive = false;
      worker.terminate();
      events.died(why);
    };
    worker.addEventListener("message", (event: MessageEvent<Reply>) => events.reply(event.data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      die(event.message);
    });
    worker.addEventListener("close", () => die("the database thread ended"));
    worker.postMessage(settings);
    return {
      post(call) {
        if (call.kind !== "write") return worker.postMessage(call);
        const { chunks } = call.question;
        const sent: Call = { ...call, question: { ...call.question, chunks: newChunks(chunks, sentChunks) } };
        worker.postMessage(sent);
        sentChunks = chunks;
      },
      terminate() {
        alive = false;
        worker.terminate();
      },
    };
  };
}
