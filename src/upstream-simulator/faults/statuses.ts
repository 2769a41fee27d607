// Every status, with every kind of body.

import type { Asked } from "../asked.ts";
import { bothModes, faultGroup } from "../fault.ts";
import { chunk, chunkedBody, head, jsonType, lengthOf, sized, type HeaderLine } from "../http-answer.ts";
import { errorJson } from "../json-answer.ts";
import { fin, flood, hang, repeat, write, type Step } from "../step.ts";

const htmlType: HeaderLine = ["content-type", "text/html; charset=utf-8"];
const textType: HeaderLine = ["content-type", "text/plain; charset=utf-8"];

export const htmlPage =
  "<!doctype html>\n<html><head><title>Gateway</title></head><body><h1>It broke</h1></body></html>\n";

type StatusBody = (asked: Asked, status: number) => readonly Step[];

const json = (asked: Asked, status: number): string => errorJson(asked, `simulated status ${status}`, status, null);

const answer = (asked: Asked, status: number, type: HeaderLine, body: string): readonly Step[] => [
  write(sized(asked, status, type, body)),
];

const openBody = (asked: Asked, status: number): Step => write(head(asked, status, [jsonType, chunkedBody]));

/** By the word after the status. */
const bodies: Readonly<Record<string, StatusBody>> = {
  json: (asked, status) => answer(asked, status, jsonType, json(asked, status)),
  text: (asked, status) => answer(asked, status, textType, `simulated status ${status}`),
  empty: (asked, status) => [write(head(asked, status, [["content-length", "0"]]))],
  html: (asked, status) => answer(asked, status, htmlType, htmlPage),
  "string-error": (asked, status) => answer(asked, status, jsonType, JSON.stringify({ error: `simulated ${status}` })),
  "null-error": (asked, status) => answer(asked, status, jsonType, '{"error":null}'),
  detail: (asked, status) => answer(asked, status, jsonType, JSON.stringify({ detail: `simulated status ${status}` })),
  array: (asked, status) => answer(asked, status, jsonType, `[${json(asked, status)}]`),
  large: (asked, status) =>
    answer(asked, status, jsonType, JSON.stringify({ error: { message: "x".repeat(1 << 20), code: null } })),
  cut: (asked, status) => {
    const body = json(asked, status);
    return [write(head(asked, status, [jsonType, lengthOf(body)]), body.slice(0, 20)), fin];
  },
  hanging: (asked, status) => [openBody(asked, status), write(chunk('{"error":{"message":"')), hang],
  dripping: (asked, status) => [openBody(asked, status), repeat(50, chunk("drip "))],
  unending: (asked, status) => [openBody(asked, status), flood(chunk("x".repeat(16_384)))],
};

const names = Object.keys(bodies);

/** Statuses under 200 are never an answer, and 204 and 304 have no body. */
function statusPlan(asked: Asked, status: number, body: string): readonly Step[] {
  if (status >= 100 && status < 200) return [write(head(asked, status, [])), hang];
  if (status === 204 || status === 304) return [write(head(asked, status, []))];
  return bodies[body]?.(asked, status) ?? [];
}

export const statusFaults = faultGroup("status", bothModes, [
  {
    name: "status",
    sentence: "This status, also impossible ones; with an error document or with the kind of body that is named.",
    parameters: new RegExp(`^(\\d{1,3})(?:-(${names.join("|")}))?$`),
    examples: [
      ...[100, 101, 103, 204, 205, 304, 400, 401, 402, 403, 404, 405, 408, 409, 413, 422, 425, 429, 451, 499].map(
        withStatus,
      ),
      ...[500, 501, 502, 503, 504, 507, 520, 521, 522, 523, 524, 525, 529, 530, 599, 0, 99, 600, 999].map(withStatus),
      ...names.map((body) => `status-503-${body}`),
      "status-429~retry-after=1",
      "status-429~retry-after=date+2",
      "status-503~retry-after-ms=30",
      "status-429~x-ratelimit-remaining-requests=0~x-ratelimit-reset-requests=1s",
      "status-400~message=Upstream%20request%20failed",
      "status-404~message=No%20such%20thing~code=model_unavailable",
      "status-404~message=This%20feature%20is%20deprecated",
      "status-400~message=The%20maximum%20context%20length%20is%20exceeded~code=context_length_exceeded",
      "status-400~message=Upstream%20error%20of%20the%20content%20policy~code=content_policy_violation",
    ],
    plan: (asked, [, status, body]) => statusPlan(asked, Number(status), body ?? "json"),
  },
  {
    name: "redirect",
    sentence: "A redirect with this status to another path of the same upstream.",
    parameters: /^(301|302|303|307|308)$/,
    examples: ["redirect-301", "redirect-302", "redirect-307", "redirect-308"],
    plan: (asked, [, status]) => [
      write(
        head(asked, Number(status), [
          ["location", "/v1/elsewhere"],
          ["content-length", "0"],
        ]),
      ),
    ],
  },
]);

function withStatus(status: number): string {
  return `status-${status}`;
}
