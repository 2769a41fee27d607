// Log lines: JSON for machines, text for people; no secret in either, and no way to throw into the caller.

import type { Clock } from "../core/clock.ts";
import { flatFields, reserved } from "./flat-fields.ts";
import { type Loggable, loggableText, toLoggable } from "./loggable.ts";

type LogLevel = "debug" | "info" | "warn" | "error";

/** Named values of a line. A field whose name sounds like a secret is written without its value. */
export type LogFields = Readonly<Record<string, unknown>>;

export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  /** About what happened at `timeMs`, milliseconds since the epoch. */
  infoAt(timeMs: number, message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export interface LoggerOptions {
  /** `LOG_FORMAT`; the caller decides what "auto" means where it writes. */
  readonly format: "text" | "json";
  /** `LOG_LEVEL`: lines below it are not made. */
  readonly level: LogLevel;
  /** With ANSI colours; `text` only. Default false. */
  readonly colour?: boolean;
  /** Takes one line, its newline included. What it throws is lost: a full disk must not fail a request. */
  readonly write: (line: string) => void;
  readonly clock: Pick<Clock, "wallNow">;
}

const rank: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

const grey = 90;
const colours: Record<LogLevel, number> = { debug: grey, info: 36, warn: 33, error: 31 };

export function createLogger(options: LoggerOptions): Logger {
  const { level: lowest, write, clock } = options;
  const line = options.format === "json" ? jsonLine() : textLine(options.colour ?? false);
  const logAt = (level: LogLevel) => {
    if (rank[level] < rank[lowest]) return () => {};
    return (timeMs: number, message: string, fields: LogFields = {}): void => {
      try {
        write(line(timeMs, level, loggableText(message), fields));
      } catch {
        // Nobody is left to be told.
      }
    };
  };
  const log = (level: LogLevel) => {
    const writeAt = logAt(level);
    return (message: string, fields?: LogFields): void => writeAt(clock.wallNow(), message, fields);
  };
  return { debug: log("debug"), info: log("info"), infoAt: logAt("info"), warn: log("warn"), error: log("error") };
}

type Line = (timeMs: number, level: LogLevel, message: string, fields: LogFields) => string;

function jsonLine(): Line {
  const isoTime = createIsoTime();
  return (timeMs, level, message, fields) => {
    const head = `{"time":"${isoTime(timeMs)}","level":"${level}","msg":${JSON.stringify(message)}`;
    const flat = quickly(fields);
    if (flat !== undefined) return flat === "{}" ? `${head}}\n` : `${head},${flat.slice(1)}\n`;
    const own = withoutClash(toLoggable(fields));
    return `${JSON.stringify({ time: isoTime(timeMs), level, msg: message, ...own })}\n`;
  };
}

/** Busy gateways write many lines within a millisecond, which share its text. */
function createIsoTime(): (timeMs: number) => string {
  let lastMs = Number.NaN;
  let text = "";
  return (timeMs) => {
    if (timeMs !== lastMs) {
      text = new Date(timeMs).toISOString();
      lastMs = timeMs;
    }
    return text;
  };
}

/** A getter that throws is for the thorough way. */
function quickly(fields: LogFields): string | undefined {
  try {
    return flatFields(fields);
  } catch {
    return undefined;
  }
}

function withoutClash(fields: Readonly<Record<string, Loggable>>): Readonly<Record<string, Loggable>> {
  if (!Object.keys(fields).some((name) => reserved.has(name))) return fields;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [reserved.has(name) ? `_${name}` : name, value]),
  );
}

function textLine(colour: boolean): Line {
  const paint = (code: number, text: string): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  return (timeMs, level, message, fields) => {
    const head = `${paint(grey, timeOfDay(new Date(timeMs)))} ${paint(colours[level], level.toUpperCase().padEnd(5))} ${oneLine(message)}`;
    const stacks: string[] = [];
    const words = Object.entries(toLoggable(fields)).map(([name, value]) => {
      if (isErrorShape(value)) stacks.push(value.stack);
      return ` ${paint(grey, `${oneLine(name)}=`)}${asWord(value)}`;
    });
    const frames = stacks.flatMap((stack) => stack.split("\n")).filter((frame) => /^\s+at /.test(frame));
    const trace = frames.map((frame) => `\n  ${paint(grey, oneLine(frame.trim()))}`);
    return `${head}${words.join("")}${trace.join("")}\n`;
  };
}

function timeOfDay(time: Date): string {
  const digits = (value: number, length: number): string => String(value).padStart(length, "0");
  const seconds = `${digits(time.getSeconds(), 2)}.${digits(time.getMilliseconds(), 3)}`;
  return `${digits(time.getHours(), 2)}:${digits(time.getMinutes(), 2)}:${seconds}`;
}

function isErrorShape(value: Loggable): value is { readonly message: string; readonly stack: string } {
  return (
    typeof value === "object" &&
    value !== null &&
    "stack" in value &&
    typeof value.stack === "string" &&
    "message" in value
  );
}

/** As people would write it; quoted where it would otherwise run into its neighbours. */
function asWord(value: Loggable): string {
  if (isErrorShape(value)) return oneLine(JSON.stringify(value.message));
  if (typeof value === "string") return /^[^\s"=\p{C}]+$/u.test(value) ? value : oneLine(JSON.stringify(value));
  return typeof value === "object" ? oneLine(JSON.stringify(value)) : String(value);
}

/**
 * Line breaks, terminal control and writing-direction characters as visible escapes: what a caller sends must not draw on
 * the operator's terminal.
 */
function oneLine(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
