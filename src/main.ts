// The process: reads the command line and does what it says. What only some commands need is loaded by them: it takes its time.

import { parseArguments, usageExitCode } from "./cli/arguments.ts";
import type { Outcome } from "./cli/outcome.ts";
import { version } from "../package.json";

const command = parseArguments(process.argv.slice(2));
switch (command.kind) {
  case "wrong":
    finish({ exitCode: usageExitCode, stdout: "", stderr: `gomodel: ${command.message}\n` });
    break;
  case "help":
    finish({ exitCode: 0, stdout: command.text, stderr: "" });
    break;
  case "version":
    finish({ exitCode: 0, stdout: `${version}\n`, stderr: "" });
    break;
  case "check": {
    const { readConfiguration, routingProblems } = await import("./configuration.ts");
    const { checkReport } = await import("./cli/check.ts");
    const loaded = readConfiguration(command.configPath);
    finish(checkReport(loaded, routingProblems(loaded.config)));
    break;
  }
  case "probe": {
    const { readConfiguration } = await import("./configuration.ts");
    const { probeGateway } = await import("./cli/probe.ts");
    const { httpGet } = await import("./cli/http-get.ts");
    const loaded = readConfiguration(command.configPath);
    // A gateway that runs is not unhealthy because somebody has just broken its file.
    const server = loaded.ok
      ? loaded.config.server
      : { host: "", port: Number(process.env["PORT"] ?? 8080), basePath: "" };
    finish(await probeGateway({ ...server, probe: command.probe, timeoutMs: command.timeoutMs, get: httpGet }));
    break;
  }
  case "doctor": {
    const { readConfiguration, routingProblems } = await import("./configuration.ts");
    const { examineFaults } = await import("./doctor.ts");
    const loaded = readConfiguration(command.configPath);
    finish(await examineFaults(loaded, routingProblems(loaded.config), command));
    break;
  }
  case "serve": {
    const { readConfiguration, routingProblems } = await import("./configuration.ts");
    const { formatProblems } = await import("./config/format-problems.ts");
    const loaded = readConfiguration(command.configPath);
    const problems = [...loaded.problems, ...routingProblems(loaded.config)];
    if (problems.length > 0) process.stderr.write(formatProblems(problems));
    if (!loaded.ok || problems.some(({ severity }) => severity === "error")) {
      finish({ exitCode: 1, stdout: "", stderr: "gomodel does not start with a configuration that has errors.\n" });
    }
    const { serve } = await import("./serve.ts");
    await serve(loaded.config, command.demo);
    break;
  }
}

function finish({ exitCode, stdout, stderr }: Outcome): never {
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exit(exitCode);
}
