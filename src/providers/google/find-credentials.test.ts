// Which credentials are used, and what is said about those that cannot be.

import { expect, test } from "bun:test";
import { Buffer } from "node:buffer";
import { findCredentials } from "./find-credentials.ts";

const account = JSON.stringify({
  type: "service_account",
  client_email: "bot@p.iam.gserviceaccount.com",
  private_key: "pem",
  private_key_id: "k1",
  token_uri: "https://oauth2.example/token",
});
const user = JSON.stringify({
  type: "authorized_user",
  client_id: "id",
  client_secret: "s",
  refresh_token: "r",
  quota_project_id: "q",
});
const files = (contents: Record<string, string>) => ({
  home: "/home/ann",
  read: (path: string) => contents[path],
});
const found = {
  kind: "service-account",
  email: "bot@p.iam.gserviceaccount.com",
  privateKey: "pem",
  keyId: "k1",
  tokenUrl: "https://oauth2.example/token",
};

test.each([
  ["a file", { VERTEX_SERVICE_ACCOUNT_FILE: "/keys/a.json" }],
  ["JSON", { VERTEX_SERVICE_ACCOUNT_JSON: account }],
  ["JSON in base64", { VERTEX_SERVICE_ACCOUNT_JSON_BASE64: Buffer.from(account).toString("base64") }],
])("a service account in %s", (_name, settings) => {
  const all = { VERTEX_AUTH_TYPE: "gcp_service_account", ...settings };
  expect(findCredentials(all, files({ "/keys/a.json": account }))).toEqual(found as never);
});

test("the default is what the machine has: a named file, the one of gcloud, the metadata server", () => {
  const kept = "/home/ann/.config/gcloud/application_default_credentials.json";
  const named = { GOOGLE_APPLICATION_CREDENTIALS: "/a.json" };
  expect(findCredentials(named, files({ "/a.json": account, [kept]: user })).kind).toBe("service-account");
  expect(findCredentials({ GOOGLE_APPLICATION_CREDENTIALS: "" }, files({ [kept]: user }))).toEqual({
    kind: "user",
    clientId: "id",
    clientSecret: "s",
    refreshToken: "r",
    tokenUrl: "https://oauth2.googleapis.com/token",
    quotaProject: "q",
  });
  const moved = files({ "/cfg/application_default_credentials.json": account });
  expect(findCredentials({ CLOUDSDK_CONFIG: "/cfg" }, moved).kind).toBe("service-account");
  expect(findCredentials({}, files({}))).toEqual({ kind: "metadata", origin: "http://metadata.google.internal" });
  expect(findCredentials({ GCE_METADATA_HOST: "127.0.0.1:80" }, files({}))).toEqual({
    kind: "metadata",
    origin: "http://127.0.0.1:80",
  });
});

test.each([
  [{ VERTEX_AUTH_TYPE: "password" }, 'VERTEX_AUTH_TYPE must be gcp_adc or gcp_service_account, not "password"'],
  [
    { VERTEX_AUTH_TYPE: "gcp_service_account" },
    "VERTEX_AUTH_TYPE gcp_service_account needs one of VERTEX_SERVICE_ACCOUNT_FILE, VERTEX_SERVICE_ACCOUNT_JSON, VERTEX_SERVICE_ACCOUNT_JSON_BASE64: none is set",
  ],
  [
    {
      VERTEX_AUTH_TYPE: "gcp_service_account",
      VERTEX_SERVICE_ACCOUNT_FILE: "/a",
      VERTEX_SERVICE_ACCOUNT_JSON: account,
    },
    "VERTEX_SERVICE_ACCOUNT_FILE and VERTEX_SERVICE_ACCOUNT_JSON are set",
  ],
  [
    { VERTEX_AUTH_TYPE: "gcp_service_account", VERTEX_SERVICE_ACCOUNT_FILE: "/gone.json" },
    "VERTEX_SERVICE_ACCOUNT_FILE names a file that does not exist: /gone.json",
  ],
  [
    { VERTEX_AUTH_TYPE: "gcp_service_account", VERTEX_SERVICE_ACCOUNT_JSON: "{secret" },
    "VERTEX_SERVICE_ACCOUNT_JSON holds no JSON object: give the JSON file that Google Cloud created",
  ],
  [
    { VERTEX_AUTH_TYPE: "gcp_service_account", VERTEX_SERVICE_ACCOUNT_JSON: '{"type":"service_account"}' },
    'VERTEX_SERVICE_ACCOUNT_JSON has no "client_email": give the whole JSON file that Google Cloud created',
  ],
  [
    { VERTEX_AUTH_TYPE: "gcp_service_account", VERTEX_SERVICE_ACCOUNT_JSON: user },
    "VERTEX_SERVICE_ACCOUNT_JSON holds no service account: use VERTEX_AUTH_TYPE gcp_adc for other credentials",
  ],
  [
    { GOOGLE_APPLICATION_CREDENTIALS: "/external.json" },
    'GOOGLE_APPLICATION_CREDENTIALS holds credentials of the type "external_account": service_account and authorized_user are read',
  ],
])("%j is refused", (settings, message) => {
  const contents = { "/external.json": '{"type":"external_account"}' };
  expect(() => findCredentials(settings as Record<string, string>, files(contents))).toThrow(message);
});
