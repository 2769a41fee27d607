// Proxies of every kind, with and without TLS to the upstream behind them.

import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RawConnection, type RawUpstream, type RawUpstreamOptions, startRawUpstream } from "../../../test/support/raw-upstream.ts";
import { callTo, eventually, textOf, troubleOf } from "../../../test/support/upstream-call.ts";
import { Cancellation } from "../../core/cancellation.ts";
import { systemClock } from "../../core/clock.ts";
import { createHttpClient, type HttpClient } from "./client.ts";
import { parseUpstreamUrl } from "./upstream-url.ts";
