// The one request that the command line sends: to the gateway on this machine.

import { get } from "node:http";

/** Follows no redirect and, unlike `fetch`, asks no proxy that the environment names. Rejects when there is no answer within `timeoutMs`. */
export function httpGet(url: string, timeoutMs: number): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const call = get(url, { agent: false }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (text: string) => {
        body += text;
      });
      response.on("error", reject);
      response.on("end", () => {
        clearTimeout(timer);
        resolve({ status: response.statusCode ?? 0, body });
      });
    });
    call.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    const timer = setTimeout(() => {
      reject(new Error(`no answer within ${timeoutMs} ms`));
      call.destroy();
    }, timeoutMs);
  });
}
