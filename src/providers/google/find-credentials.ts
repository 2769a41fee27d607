// Where the credentials for Vertex come from: what the operator names, the file that gcloud keeps, or the machine.

import { Buffer } from "node:buffer";
import { readCredentials } from "./credentials.ts";
import type { GoogleCredentials } from "./credentials.ts";

/** Settings by variable; empty counts as not set. */
export type CredentialSettings = Readonly<Record<string, string>>;

/** What looking for credentials asks of the machine. */
export interface CredentialFiles {
  /** Undefined: there is no such file. Throws for one that cannot be read. */
  readonly read: (path: string) => string | undefined;
  /** Of the user that the gateway runs as. */
  readonly home: string;
}

/** https://docs.cloud.google.com/compute/docs/metadata/querying-metadata. */
const metadataHost = "metadata.google.internal";

/**
 * Behaviour 3.6. `gcp_service_account`: `VERTEX_SERVICE_ACCOUNT_FILE`, `_JSON` or `_JSON_BASE64`, exactly one of them. `gcp_adc`: the order of
 * https://docs.cloud.google.com/docs/authentication/application-default-credentials. Throws an `Error` that names the variable to set or to change.
 */
export function findCredentials(settings: CredentialSettings, files: CredentialFiles): GoogleCredentials {
  const setting = (name: string): string | undefined => settings[name] || undefined;
  const authType = setting("VERTEX_AUTH_TYPE") ?? "gcp_adc";
  switch (authType) {
    case "gcp_service_account":
      return serviceAccount(setting, files);
    case "gcp_adc":
      return applicationDefault(setting, files);
  }
  throw new Error(`VERTEX_AUTH_TYPE must be gcp_adc or gcp_service_account, not ${JSON.stringify(authType)}`);
}

type Setting = (name: string) => string | undefined;

const serviceAccountVariables = [
  "VERTEX_SERVICE_ACCOUNT_FILE",
  "VERTEX_SERVICE_ACCOUNT_JSON",
  "VERTEX_SERVICE_ACCOUNT_JSON_BASE64",
] as const;

function serviceAccount(setting: Setting, files: CredentialFiles): GoogleCredentials {
  const given = serviceAccountVariables.filter((name) => setting(name) !== undefined);
  const [variable] = given;
  if (variable === undefined || given.length > 1) {
    const found = given.length === 0 ? "none is set" : `${given.join(" and ")} are set`;
    throw new Error(
      `VERTEX_AUTH_TYPE gcp_service_account needs one of ${serviceAccountVariables.join(", ")}: ${found}`,
    );
  }
  const credentials = readCredentials(serviceAccountText(variable, setting(variable) ?? "", files), variable);
  if (credentials.kind === "service-account") return credentials;
  throw new Error(`${variable} holds no service account: use VERTEX_AUTH_TYPE gcp_adc for other credentials`);
}

function serviceAccountText(
  variable: (typeof serviceAccountVariables)[number],
  value: string,
  files: CredentialFiles,
): string {
  switch (variable) {
    case "VERTEX_SERVICE_ACCOUNT_FILE":
      return textOfFile(value, variable, files);
    case "VERTEX_SERVICE_ACCOUNT_JSON":
      return value;
    case "VERTEX_SERVICE_ACCOUNT_JSON_BASE64":
      return Buffer.from(value, "base64").toString();
  }
}

function applicationDefault(setting: Setting, files: CredentialFiles): GoogleCredentials {
  const variable = "GOOGLE_APPLICATION_CREDENTIALS";
  const named = setting(variable);
  if (named !== undefined) return readCredentials(textOfFile(named, variable, files), variable);
  const directory = setting("CLOUDSDK_CONFIG") ?? `${files.home}/.config/gcloud`;
  const path = `${directory}/application_default_credentials.json`;
  const kept = files.read(path);
  if (kept !== undefined) return readCredentials(kept, path);
  return { kind: "metadata", origin: `http://${setting("GCE_METADATA_HOST") ?? metadataHost}` };
}

function textOfFile(path: string, variable: string, files: CredentialFiles): string {
  const text = files.read(path);
  if (text === undefined) throw new Error(`${variable} names a file that does not exist: ${path}`);
  return text;
}
