// Cases of AWS's own test suite for Signature Version 4: https://github.com/awslabs/aws-c-auth/tree/main/tests/aws-signing-test-suite/v4

import { expect, test } from "bun:test";
import { signatureHeaders } from "./signature.ts";

const credentials = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };
const scope = { region: "us-east-1", service: "service", at: Date.UTC(2015, 7, 30, 12, 36) };
const form = "application/x-www-form-urlencoded";
const sessionToken =
  "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==";

function sign(
  method: string,
  path: string,
  more: {
    headers?: readonly (readonly [string, string])[];
    body?: string;
    sessionToken?: string;
  } = {},
): Readonly<Record<string, string>> {
  const { headers = [], body, sessionToken: token } = more;
  const request = {
    method,
    path,
    authority: "example.amazonaws.com",
    headers,
    body: body === undefined ? undefined : new TextEncoder().encode(body),
  };
  return Object.fromEntries(
    signatureHeaders(request, token === undefined ? credentials : { ...credentials, sessionToken: token }, scope),
  );
}

const unreserved = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const hostAndDate = "host;x-amz-date";

test.each([
  ["get-vanilla", "GET", "/", {}, hostAndDate, "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"],
  ["post-vanilla", "POST", "/", {}, hostAndDate, "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"],
  [
    "get-unreserved",
    "GET",
    `/${unreserved}`,
    {},
    hostAndDate,
    "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f",
  ],
  ["get-utf8", "GET", "/ሴ", {}, hostAndDate, "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"],
  [
    "get-vanilla-query-order-key-case",
    "GET",
    "/?Param2=value2&Param1=value1",
    {},
    hostAndDate,
    "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
  ],
  [
    "get-vanilla-query-unreserved",
    "GET",
    `/?${unreserved}=${unreserved}`,
    {},
    hostAndDate,
    "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197",
  ],
  [
    "get-vanilla-utf8-query",
    "GET",
    "/?ሴ=bar",
    {},
    hostAndDate,
    "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04",
  ],
  [
    "post-header-value-case",
    "POST",
    "/",
    { headers: [["my-header1", "VALUE1"]] },
    "host;my-header1;x-amz-date",
    "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d",
  ],
  [
    "get-header-value-trim",
    "GET",
    "/",
    {
      headers: [
        ["my-header1", " value1"],
        ["my-header2", ' "a   b   c"'],
      ],
    },
    "host;my-header1;my-header2;x-amz-date",
    "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736",
  ],
  [
    "post-x-www-form-urlencoded",
    "POST",
    "/",
    { headers: [["content-type", form]], body: "Param1=value1" },
    "content-type;host;x-amz-date",
    "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a",
  ],
  [
    "post-sts-header-before",
    "POST",
    "/",
    { sessionToken },
    "host;x-amz-date;x-amz-security-token",
    "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead",
  ],
] as const)("%s", (_name, method, path, more, names, signature) => {
  const { Authorization: authorization, "X-Amz-Date": date, "X-Amz-Security-Token": token } = sign(method, path, more);
  expect(authorization).toBe(
    `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=${names}, Signature=${signature}`,
  );
  expect(date).toBe("20150830T123600Z");
  expect(token).toBe("sessionToken" in more ? sessionToken : undefined);
});

test("a path that is percent-encoded already is encoded once more", () => {
  expect(sign("GET", "/a%2Fb").Authorization).not.toBe(sign("GET", "/a/b").Authorization);
});
