// Where Google's services have their models, and what their listings say.

import { expect, test } from "bun:test";
import { urlByOptions } from "../../core/regional-url.ts";
import { generateContentPath, geminiBasePaths, vertexBasePaths, vertexOrigins } from "./base-paths.ts";
import { readCompatibleListing, readGeminiListing, readVertexListing } from "./model-listings.ts";

test.each([
  ["/v1beta", "/v1beta", "/v1beta/openai"],
  ["/v1beta/openai", "/v1beta", "/v1beta/openai"],
  ["", "", "/openai"],
])("below %s", (basePath, native, compatible) => {
  expect(geminiBasePaths(basePath)).toEqual({ native, compatible });
});

test("Vertex has its paths below a project and a location, and a host for each location", () => {
  expect(vertexBasePaths("my-project", "us-central1")).toEqual({
    native: "/v1/projects/my-project/locations/us-central1/publishers/google",
    compatible: "/v1/projects/my-project/locations/us-central1/endpoints/openapi",
  });
  const origins = vertexOrigins("LOCATION");
  const originOf = (location: string) => urlByOptions(origins, { LOCATION: location });
  expect(originOf("us-central1")).toBe("https://us-central1-aiplatform.googleapis.com");
  expect(originOf("global")).toBe("https://aiplatform.googleapis.com");
  expect(originOf("eu")).toBe("https://aiplatform.eu.rep.googleapis.com");
});

test("what is no project or location is said, by its variable", () => {
  expect(() => vertexBasePaths("a/b", "global")).toThrow(
    'VERTEX_PROJECT must be the id of a Google Cloud project, not "a/b"',
  );
  expect(() => vertexBasePaths("p", "us central")).toThrow("VERTEX_LOCATION must be a location");
});

test.each([
  ["gemini-2.5-pro", false, "/v1beta/models/gemini-2.5-pro:generateContent"],
  ["gemini-2.5-pro", true, "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse"],
  ["tunedModels/mine", false, "/v1beta/tunedModels/mine:generateContent"],
  ["a b?", false, "/v1beta/models/a%20b%3F:generateContent"],
])("the path of %s", (model, stream, path) => {
  expect(generateContentPath("/v1beta", model, stream)).toBe(path);
});

const google = (id: string) => ({ id, created: undefined, ownedBy: "google" });

test("Gemini lists what can generate content", () => {
  const text = JSON.stringify({
    models: [
      { name: "models/gemini-2.5-pro", supportedGenerationMethods: ["generateContent", "countTokens"] },
      { name: "models/text-embedding-004", supportedGenerationMethods: ["embedContent"] },
      { name: "models/gemini-2.5-pro", supportedGenerationMethods: ["generateContent"] },
      { name: "models/plain" },
      7,
      { name: 7 },
    ],
  });
  expect(readGeminiListing(text)).toEqual([google("gemini-2.5-pro"), google("plain")]);
  expect(readGeminiListing("{}")).toEqual([]);
  for (const other of ["", "[]", '{"data":[]}', "null"]) expect(readGeminiListing(other)).toBeUndefined();
});

test("Vertex lists Google's models of every kind, of which the Gemini ones are taken", () => {
  const names = ["gemini-2.5-flash", "imagen-4.0-generate-001", "gemini-embedding-001"];
  const text = JSON.stringify({ publisherModels: names.map((name) => ({ name: `publishers/google/models/${name}` })) });
  expect(readVertexListing(text)).toEqual([google("gemini-2.5-flash")]);
});

test("the compatible listing has the same ids as the native one", () => {
  expect(readCompatibleListing('{"object":"list","data":[{"id":"models/gemini-2.5-pro"}]}')).toEqual([
    google("gemini-2.5-pro"),
  ]);
});
