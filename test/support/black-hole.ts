// A port on which connections are neither accepted nor refused.

import { openRawConnection } from "./raw-exchange.ts";

export interface BlackHole {
  readonly port: number;
  stop(): void;
}

/** Listens with room for one connection and accepts none for two minutes, should nobody end it before. */
const listener = `
  const server = require("node:net").createServer();
  server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    console.log(server.address().port);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 120_000);
    process.exit();
  });`;

/** Needs Node: its process listens, then sleeps. The room it has is filled, so that the kernel drops what comes later. */
export async function startBlackHole(): Promise<BlackHole> {
  const child = Bun.spawn(["node", "-e", listener], { stdout: "pipe", stderr: "inherit" });
  const { value } = await child.stdout.getReader().read();
  const port = Number(new TextDecoder().decode(value));
  if (!(port > 0)) throw new Error("the listening process did not say its port");
  const fillers = [1, 2, 3].map(() => openRawConnection(port));
  return {
    port,
    stop() {
      for (const filler of fillers) filler.close();
      child.kill("SIGKILL");
    },
  };
}
