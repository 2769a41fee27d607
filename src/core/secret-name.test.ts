// Names by which credentials come, and names that are none.

import { expect, test } from "bun:test";
import { soundsSecret } from "./secret-name.ts";

test.each([
  "authorization",
  "Proxy-Authorization",
  "x-api-key",
  "x-goog-api-key",
  "api_key",
  "key",
  "x-auth-token",
  "x-access-token",
  "x-gomodel-key",
  "Set-Cookie",
  "client_secret",
  "X-Amz-Signature",
  "passwd",
  "password",
  "X-Amz-Credential",
])("%s sounds like a secret", (name) => {
  expect(soundsSecret(name)).toBe(true);
});

test.each(["model", "anthropic-beta", "x-codex-turn-metadata", "session-id", "x-initiator", "beta", "limit"])(
  "%s does not",
  (name) => {
    expect(soundsSecret(name)).toBe(false);
  },
);
