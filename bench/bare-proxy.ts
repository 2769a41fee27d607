// What the gateway is measured against, a process of its own: the least that Bun needs to forward a request with `fetch`.
//
//   bun bench/bare-proxy.ts PORT UPSTREAM_PORT

const upstream = `http://127.0.0.1:${process.argv[3]}`;

Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.argv[2]),
  idleTimeout: 0,
  async fetch(request) {
    const url = request.url;
    const answer = await fetch(upstream + url.slice(url.indexOf("/", 8)), {
      method: request.method,
      headers: request.headers,
      body: request.body,
      redirect: "manual",
      decompress: false,
    });
    return new Response(answer.body, { status: answer.status, headers: answer.headers });
  },
});
