import { expect, test } from "bun:test";
import { load } from "../../test/support/load-config.ts";
import { checkReport } from "./check.ts";

test("a valid configuration is printed with its file, exit 0", () => {
  const report = checkReport(load({ yaml: "server: {port: 9000}" }));
  expect(report).toMatchObject({ exitCode: 0, stderr: "" });
  expect(report.stdout).toStartWith("# Configuration file: config.yaml\n");
  expect(report.stdout).toContain("  port: 9000 # config.yaml:1\n");
});

test("warnings go to stderr and do not fail the check", () => {
  expect(checkReport(load({ yaml: "providers: {groq: {}}" }))).toMatchObject({
    exitCode: 0,
    stderr:
      'warning: config.yaml:1 providers.groq: provider "groq" is left out: it has no api_key; give one or set GROQ_API_KEY\n',
  });
});

test("errors are listed before warnings and counted, exit 1, nothing printed", () => {
  expect(checkReport(load({ yaml: "providers: {groq: {}}\nserver: {port: x}", env: { LOG_LEVEL: "x" } }))).toEqual({
    exitCode: 1,
    stdout: "",
    stderr: `error: config.yaml:2 server.port: "x" is not a whole number from 0 to 65535
error: LOG_LEVEL: "x" is not a log level; allowed: debug, info, warn, error
warning: config.yaml:1 providers.groq: provider "groq" is left out: it has no api_key; give one or set GROQ_API_KEY
The configuration has 2 errors.
`,
  });
});

test("an error that others found fails the check too", () => {
  const cycle = { where: "config.yaml:3 virtual_models[0]", message: "cycle: a -> b -> a", severity: "error" } as const;
  expect(checkReport(load({}), [cycle])).toEqual({
    exitCode: 1,
    stdout: "",
    stderr: "error: config.yaml:3 virtual_models[0]: cycle: a -> b -> a\nThe configuration has 1 error.\n",
  });
});

test("what the profile decides follows the configuration as a table in comments, and all of it is YAML", () => {
  const yaml = "providers: {vllm: {resilience: {retry: {streaming: before_first_event}}}}";
  const { stdout } = checkReport(load({ yaml, env: { RESILIENCE_PROFILE: "classic" } }));
  const lines = stdout.split("\n").map((line) => line.replace(/ {2,}/g, " | "));
  expect(lines).toContain("# Setting | Value | From");
  expect(lines).toContain("# resilience.retry.streaming | never | profile classic");
  expect(lines).toContain(
    "# | provider vllm | before_first_event | providers.vllm.resilience.retry.streaming (config.yaml:1)",
  );
  expect(load({ yaml: stdout })).toMatchObject({ ok: true, problems: [] });
});
