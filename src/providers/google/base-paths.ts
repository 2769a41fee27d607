// Where Google's two services have their models: below a base URL, or below a project and a location.

import type { RegionalUrl } from "../../core/regional-url.ts";

/** Paths without a trailing slash. */
interface BasePaths {
  /** `generateContent` and the listing. */
  readonly native: string;
  /** What speaks OpenAI's chat completions. */
  readonly compatible: string;
}

/** `basePath`: of the configured URL; one that ends in `/openai` is the compatible one, and the native one is above it (behaviour 3.6). */
export function geminiBasePaths(basePath: string): BasePaths {
  const native = basePath.endsWith("/openai") ? basePath.slice(0, -"/openai".length) : basePath;
  return { native, compatible: `${native}/openai` };
}

/** Names that belong in a path as they are: https://cloud.google.com/resource-manager/docs/creating-managing-projects, project ids may have a domain. */
const projectPattern = /^(?:[a-z0-9.-]+:)?[a-z0-9-]+$/;
const locationPattern = /^[a-z0-9-]+$/;

/** Throws an `Error` that names the variable for a project or a location that is none. */
export function vertexBasePaths(project: string, location: string): BasePaths {
  if (!projectPattern.test(project)) {
    throw new Error(`VERTEX_PROJECT must be the id of a Google Cloud project, not ${JSON.stringify(project)}`);
  }
  if (!locationPattern.test(location)) {
    throw new Error(
      `VERTEX_LOCATION must be a location such as us-central1 or global, not ${JSON.stringify(location)}`,
    );
  }
  const base = `/v1/projects/${project}/locations/${location}`;
  return { native: `${base}/publishers/google`, compatible: `${base}/endpoints/openapi` };
}

/** https://docs.cloud.google.com/vertex-ai/generative-ai/docs/learn/locations: the global endpoint, two multi-regions, and one host per region. */
export function vertexOrigins(locationVariable: string): RegionalUrl {
  return {
    variables: [locationVariable],
    defaultRegion: undefined,
    url: "https://{region}-aiplatform.googleapis.com",
    exceptions: {
      global: "https://aiplatform.googleapis.com",
      us: "https://aiplatform.us.rep.googleapis.com",
      eu: "https://aiplatform.eu.rep.googleapis.com",
    },
  };
}

/** `models/x:generateContent` below `native`. An id may bring its collection along (`tunedModels/x`). */
export function generateContentPath(native: string, model: string, stream: boolean): string {
  const path = /^(?:models|tunedModels)\//.test(model) ? model : `models/${model}`;
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  return `${native}/${encoded}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`;
}
