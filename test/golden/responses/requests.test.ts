// Requests between the Responses dialect and the hub, against values written from the documentation.

import { describe, expect, test } from "bun:test";
import { responsesTranslator } from "../../../src/dialects/responses/translator.ts";
import { decodedRequests, refusedRequests } from "./decode-request.ts";
import { encodedRequests, refusedEncodings } from "./encode-request.ts";
import { hubRequest, modelRequest, openaiTarget } from "./fixtures.ts";

const base = {
  dialect: "responses",
  model: "m",
  stream: false,
  wantsStreamUsage: true,
  tools: [],
  own: [],
  unknown: {},
};

describe("from a caller", () => {
  test.each(decodedRequests.map((one) => [one.name, one] as const))("%s", (_name, { wire, hub }) => {
    const decoded = responsesTranslator.decodeRequest(modelRequest(JSON.stringify({ model: "m", ...wire })));
    expect(JSON.parse(JSON.stringify(decoded))).toEqual(JSON.parse(JSON.stringify({ ...base, ...hub })));
  });

  test.each(refusedRequests)("%j is refused", (wire, message) => {
    const request = modelRequest(JSON.stringify({ model: "m", ...wire }));
    expect(() => responsesTranslator.decodeRequest(request)).toThrow(message);
  });

  test("numbers of tools and metadata keep their digits, and settings are still numbers", () => {
    const text = `{"model":"m","input":"a","temperature":1.0,"tools":[{"type":"function","name":"f","parameters":{"maximum":12345678901234567890}}]}`;
    const decoded = responsesTranslator.decodeRequest(modelRequest(text));
    expect(decoded.temperature).toBe(1);
    expect(JSON.stringify(decoded.tools)).toContain('"maximum":12345678901234567890');
  });

  test("a member named __proto__ survives and changes nothing", () => {
    const text = `{"model":"m","input":"a","__proto__":{"x":1}}`;
    const decoded = responsesTranslator.decodeRequest(modelRequest(text));
    expect(JSON.stringify(decoded.unknown)).toBe('{"__proto__":{"x":1}}');
    expect(responsesTranslator.encodeRequest(decoded, openaiTarget({}))).toContain('"__proto__":{"x":1}');
  });
});

describe("towards a provider", () => {
  test.each(encodedRequests.map((one) => [one.name, one] as const))("%s", (_name, one) => {
    const dropped: string[] = [];
    const target = openaiTarget({ ...one.target, dropped: (field) => dropped.push(field) });
    const text = responsesTranslator.encodeRequest(hubRequest(one.hub), target);
    expect(JSON.parse(text)).toEqual({ model: target.model, store: false, ...one.wire });
    expect(dropped).toEqual([...(one.dropped ?? [])]);
  });

  test.each(refusedEncodings.map((one) => [one.name, one] as const))("%s", (_name, { hub, message }) => {
    expect(() => responsesTranslator.encodeRequest(hubRequest(hub), openaiTarget({}))).toThrow(message);
  });
});
