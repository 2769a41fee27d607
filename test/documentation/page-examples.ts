// The examples of a page: what stands in the fenced blocks below each of its headings, read as whoever follows the page would.

import { readSimulators, type WantedSimulator } from "../../scripts/documentation/simulator-arguments.ts";

export interface PageExample {
  readonly title: string;
  /** What it sets beside what all examples have in common. */
  readonly yaml: string;
  readonly simulators: readonly WantedSimulator[];
  /** One after the other; what is stated is about the last one. At least one. */
  readonly requests: readonly PageRequest[];
  /** What the last request gets, shortened: `...` for anything within a line, or for any number of lines. */
  readonly answer: string;
  /** What is known of it afterwards. */
  readonly facts: readonly string[];
}

interface PageRequest {
  /** Waited before it. */
  readonly sleepSeconds: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Section {
  readonly title: string;
  readonly text: string;
}

/** The parts of a page that begin with a heading; what looks like one inside a block is none. */
export function sectionsOf(markdown: string): readonly Section[] {
  const sections: { readonly title: string; text: string }[] = [];
  let fenced = false;
  for (const line of markdown.split("\n")) {
    if (line.startsWith("```")) fenced = !fenced;
    const title = fenced ? undefined : /^#{1,6} (.*)/.exec(line)?.[1];
    const current = title === undefined ? sections.at(-1) : undefined;
    if (title !== undefined) sections.push({ title: title.trim(), text: `${line}\n` });
    else if (current !== undefined) current.text += `${line}\n`;
  }
  return sections;
}

/** The blocks of one language, in order. */
export function blocksOf(text: string, language: string): readonly string[] {
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)]
    .filter(([, name]) => name === language)
    .map(([, , body = ""]) => body);
}

/** Every section that starts simulators. Throws for one that cannot be followed. */
export function examplesOf(markdown: string): readonly PageExample[] {
  return sectionsOf(markdown)
    .filter(({ text }) => blocksOf(text, "sh").some((block) => /simulate\.mjs \d/.test(block)))
    .map(exampleOf);
}

function exampleOf({ title, text }: Section): PageExample {
  const one = (language: string): string => {
    const [block, second] = blocksOf(text, language);
    if (block === undefined || second !== undefined) throw new Error(`"${title}" must have one block of ${language}`);
    return block;
  };
  const commands = commandsIn(one("sh"));
  const [simulate, ...others] = commands;
  if (simulate?.[0] !== "node" || simulate[1] !== "scripts/simulate.mjs")
    throw new Error(`"${title}" must start simulators first`);
  const requests = requestsIn(others);
  const wanted = readSimulators(simulate.slice(2));
  if (typeof wanted === "string") throw new Error(`"${title}": ${wanted}`);
  const facts = one("text").trimEnd().split("\n");
  return { title, yaml: one("yaml"), simulators: wanted, requests, answer: one("http"), facts };
}

/** Commands as lists of words; only what the page uses: quotes and lines that go on. */
function commandsIn(script: string): readonly (readonly string[])[] {
  return script
    .replaceAll("\\\n", " ")
    .split("\n")
    .map((line) => [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? ""))
    .filter((words) => words.length > 0);
}

/** `curl`, and `sleep` between. */
function requestsIn(commands: readonly (readonly string[])[]): readonly PageRequest[] {
  const requests: PageRequest[] = [];
  let sleepSeconds = 0;
  for (const words of commands) {
    if (words[0] === "sleep") sleepSeconds = Number(words[1]);
    else {
      requests.push({ sleepSeconds, ...requestOf(words) });
      sleepSeconds = 0;
    }
  }
  return requests;
}

function requestOf(words: readonly string[]): Omit<PageRequest, "sleepSeconds"> {
  const after = (flag: string): string[] => words.filter((_, index) => words[index - 1] === flag);
  const url = words.find((word) => word.startsWith("http://"));
  const [body, ...others] = after("-d");
  if (words[0] !== "curl" || url === undefined || body === undefined || others.length > 0)
    throw new Error(`not understood: ${words.join(" ")}`);
  const headers = after("-H").map((line): readonly [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  });
  return { url, headers: Object.fromEntries(headers), body };
}
