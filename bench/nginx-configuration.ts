// nginx as a bare proxy: one process, connections to the upstream kept, nothing written down.

export function nginxConfiguration(port: number, upstreamPort: number, folder: string): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `  ${kind}_temp_path ${folder}/${kind};`,
  );
  return `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log ${folder}/logs/error.log crit;
events { worker_connections 8192; }
http {
${temporary.join("\n")}
  access_log off;
  client_body_buffer_size 64k;
  keepalive_requests 1000000000;
  upstream models {
    server 127.0.0.1:${upstreamPort};
    keepalive 2048;
    keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location / {
      proxy_pass http://models;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
    }
  }
}
`;
}
