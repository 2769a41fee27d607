// A self-signed certificate made for one test run, so that none has to be kept and renewed.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** For these names (`DNS:localhost`, `IP:127.0.0.1`); undefined when there is no `openssl` on this machine. */
export function selfSigned(...names: readonly string[]): Certificate | undefined {
  const directory = mkdtempSync(join(tmpdir(), "gomodel-certificate-"));
  try {
    const keyFile = join(directory, "key.pem");
    const certFile = join(directory, "cert.pem");
    const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    const subject = ["-subj", "/CN=gomodel-test", "-addext", `subjectAltName=${names.join(",")}`, "-days", "2"];
    const result = spawnSync("openssl", ["req", "-x509", ...curve, ...subject, "-keyout", keyFile, "-out", certFile]);
    if (result.status !== 0) return undefined;
    return { key: readFileSync(keyFile, "latin1"), cert: readFileSync(certFile, "latin1") };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
