// What images, documents and sound cost, beside the prices that the providers' pages name.

import { Buffer } from "node:buffer";
import { describe, expect, test } from "bun:test";
import type { FilePart, ImagePart, MediaSource } from "../../core/chat-request.ts";
import { audioTokens, fileTokens, imageTokens } from "./media-tokens.ts";

function png(width: number, height: number): string {
  const bytes = Buffer.alloc(24);
  bytes.writeUInt32BE(0x89504e47, 0);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString("base64");
}

function image(source: MediaSource, detail?: string): ImagePart {
  return { kind: "image", source, ...(detail === undefined ? {} : { detail }) };
}

function data(base64: string, mediaType = "image/png"): MediaSource {
  return { from: "data", mediaType, data: base64 };
}

function file(source: MediaSource, filename?: string): FilePart {
  return { kind: "file", source, ...(filename === undefined ? {} : { filename }) };
}

describe("an image", () => {
  test.each([
    [28, 28, 1],
    [1, 1, 1],
    [29, 28, 2],
    [200, 200, 64],
    [1000, 1000, 1296],
    [1092, 1092, 1521],
    [1568, 1568, 1568],
    [1568, 28, 56],
    [15680, 280, 56],
    [8000, 8000, 1568],
  ])("of %d by %d pixels is %d patches of 28 by 28", (width, height, tokens) => {
    expect(imageTokens(image(data(png(width, height))))).toBe(tokens);
  });

  test("in a data URL is known like any other", () => {
    expect(imageTokens(image({ from: "url", url: `data:image/png;base64,${png(280, 280)}` }))).toBe(100);
  });

  test.each<MediaSource>([
    { from: "url", url: "https://example.com/a.png" },
    { from: "file-id", id: "file-1", issuer: "openai" },
    data("bm8gaW1hZ2U="),
  ])("of unknown size costs the most: %j", (source) => {
    expect(imageTokens(image(source))).toBe(1568);
  });

  test("asked for in low detail is 85", () => {
    expect(imageTokens(image({ from: "url", url: "https://example.com/a.png" }, "low"))).toBe(85);
  });
});

describe("a document", () => {
  const pdf = (text: string): MediaSource => data(Buffer.from(text, "latin1").toString("base64"), "application/pdf");
  const page = "<< /Type /Page /Parent 1 0 R >>\n";

  test.each([
    ["with three pages", `%PDF-1.4\n<< /Type /Pages /Count 3 >>\n${page.repeat(3)}`, 3 * 2250],
    ["with a page that is written tightly", "%PDF-1.4\n<</Type/Pages>><</Type/Page>>", 2250],
    ["made for the web", "%PDF-1.5\n<< /Linearized 1 /L 5000 /N 12 /T 4000 >>\n", 12 * 2250],
    ["of compressed pages, 150 kB", `%PDF-1.5\n${"x".repeat(149_991)}`, 3 * 2250],
    ["that is nearly empty", "%PDF", 2250],
    ["of more pages than anybody takes", `%PDF-1.4\n${page.repeat(1000)}`, 600 * 2250],
  ])("%s", (_, text, tokens) => {
    expect(fileTokens(file(pdf(text)))).toBe(tokens);
  });

  test("of text is its text, in whatever form it comes", () => {
    const text = "Hello there, how are you?";
    const plain = fileTokens(file({ from: "text", text }));
    expect(plain).toBeGreaterThan(5);
    expect(plain).toBeLessThan(9);
    expect(fileTokens(file(data(Buffer.from(text).toString("base64"), "text/plain")))).toBe(plain);
  });

  test("that is somewhere else is a page, and its name counts", () => {
    expect(fileTokens(file({ from: "url", url: "https://example.com/a.pdf" }))).toBe(2250);
    expect(fileTokens(file({ from: "file-id", id: "file-1", issuer: "openai" }, "report"))).toBeCloseTo(2251.07, 6);
  });
});

describe("sound", () => {
  test.each([
    ["wav", 48_000, 10],
    ["mp3", 16_000, 10],
    ["mp3", 0, 0],
  ])("%s of %d bytes is %d tokens", (format, bytes, tokens) => {
    expect(audioTokens({ data: Buffer.alloc(bytes).toString("base64"), format })).toBe(tokens);
  });
});
