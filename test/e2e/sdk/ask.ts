// What a scenario asks a model, in no SDK's words; each driver says it in its own.

/** One pixel. */
export const pngBase64 =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
export const imageUrl = "https://images.example.com/pixel.png";
export const pdfBase64 = Buffer.from("%PDF-1.4\n1 0 obj << /Type /Catalog >> endobj\ntrailer << >>\n%%EOF\n").toString(
  "base64",
);

export type Part =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image-data" | "image-url" | "pdf" };

export interface AskedCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export type Turn =
  | { readonly from: "user"; readonly parts: readonly Part[] }
  | { readonly from: "assistant"; readonly text?: string; readonly calls?: readonly AskedCall[] }
  | { readonly from: "tool"; readonly results: readonly ToolResult[] };

export interface ToolResult {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly failed?: boolean;
}

export interface Ask {
  readonly system?: string;
  /** Default: one greeting. */
  readonly turns?: readonly Turn[];
  /** The tool `get_weather` is offered. */
  readonly tools?: boolean;
  readonly toolChoice?: "auto" | "required" | "none" | "named";
  /** At most one call in an answer. */
  readonly oneCall?: boolean;
  /** The answer is a JSON object of `citySchema`. */
  readonly json?: boolean;
  readonly stop?: readonly string[];
  /** Default 99. */
  readonly maxTokens?: number;
  readonly temperature?: number;
  /** The model is asked to think. */
  readonly thinks?: boolean;
  readonly choices?: number;
}

export const toolName = "get_weather";
export const toolDescription = "Tells the weather of a city";
export const toolSchema = {
  type: "object" as const,
  properties: { city: { type: "string" as const } },
  required: ["city"],
  additionalProperties: false,
};
export const citySchema = {
  type: "object" as const,
  properties: { city: { type: "string" as const }, celsius: { type: "number" as const } },
  required: ["city", "celsius"],
  additionalProperties: false,
};

export const said = (text: string): Part => ({ kind: "text", text });
export const user = (...parts: readonly (string | Part)[]): Turn => ({
  from: "user",
  parts: parts.map((part) => (typeof part === "string" ? said(part) : part)),
});
export const assistant = (text?: string, ...calls: readonly AskedCall[]): Turn => ({
  from: "assistant",
  ...(text === undefined ? {} : { text }),
  ...(calls.length === 0 ? {} : { calls }),
});
export const results = (...all: readonly ToolResult[]): Turn => ({ from: "tool", results: all });

export const turnsOf = ({ turns = [user("Hello")] }: Ask): readonly Turn[] => turns;
