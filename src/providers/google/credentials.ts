// What a gateway proves to Google that it is: the content of a credentials file, or the machine it runs on.

import { isObject } from "../request-fields.ts";

export type GoogleCredentials =
  | {
      readonly kind: "service-account";
      readonly email: string;
      /** PEM. */
      readonly privateKey: string;
      readonly keyId: string | undefined;
      readonly tokenUrl: string;
    }
  /** What `gcloud auth application-default login` leaves behind. */
  | {
      readonly kind: "user";
      readonly clientId: string;
      readonly clientSecret: string;
      readonly refreshToken: string;
      readonly tokenUrl: string;
      /** Whose quota is used; user credentials need one. */
      readonly quotaProject: string | undefined;
    }
  /** The service account of the machine. `origin` of its metadata server. */
  | { readonly kind: "metadata"; readonly origin: string };

/** https://developers.google.com/identity/protocols/oauth2/service-account. */
const defaultTokenUrl = "https://oauth2.googleapis.com/token";

/** `source`: how the operator calls it, for messages, which repeat nothing of the text. Throws an `Error` that says what is wrong with it. */
export function readCredentials(text: string, source: string): GoogleCredentials {
  const parsed = parse(text);
  if (!isObject(parsed))
    throw new Error(`${source} holds no JSON object: give the JSON file that Google Cloud created`);
  const { type } = parsed;
  const member = (name: string): string => {
    const value = parsed[name];
    if (typeof value === "string" && value !== "") return value;
    throw new Error(`${source} has no "${name}": give the whole JSON file that Google Cloud created`);
  };
  const optional = (name: string): string | undefined => {
    const value = parsed[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const tokenUrl = optional("token_uri") ?? defaultTokenUrl;
  if (URL.parse(tokenUrl) === null) throw new Error(`${source} has a "token_uri" that is no URL`);
  switch (type) {
    case "service_account":
      return {
        kind: "service-account",
        email: member("client_email"),
        privateKey: member("private_key"),
        keyId: optional("private_key_id"),
        tokenUrl,
      };
    case "authorized_user":
      return {
        kind: "user",
        clientId: member("client_id"),
        clientSecret: member("client_secret"),
        refreshToken: member("refresh_token"),
        tokenUrl,
        quotaProject: optional("quota_project_id"),
      };
  }
  throw new Error(
    `${source} holds credentials of the type ${JSON.stringify(type ?? null)}: service_account and authorized_user are read`,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
