// The process: reads the command line and does what it says. What only some commands need is loaded by them: it takes its time.

import { parseArguments, usageExitCode } from "./cli/arguments.ts";
import type { Outcome } from "./cli/outcome.ts";
import { version } from "../package.json";

const command = parseArguments(process.argv.slice(2));
switch (command.kind) {
  case "wrong":
    await finish({ exitCode: usageExitCode, stdout: "", stderr: `gomodel: ${command.message}\n` });
    break;
  case "help":
    await finish({ exitCode: 0, stdout: command.text, stderr: "" });
    break;
  case "version":
    await finish({ exitCode: 0, stdout: `${version}\n`, stderr: "" });
    break;
  case "check": {
    const { loaded, routingProblems } = await readHere(command.configPath);
    const { checkReport } = await import("./cli/check.ts");
    await finish(checkReport(loaded, routingProblems(loaded.config)));
    break;
  }
  case "probe": {
    const { loaded } = await readHere(command.configPath);
    const { probeGateway } = await import("./cli/probe.ts");
    const { httpGet } = await import("./cli/http-get.ts");
    // A gateway that runs is not unhealthy because somebody has just broken its file.
    const server = loaded.ok
      ? loaded.config.server
      : { host: "", port: Number(process.env["PORT"] ?? 8080), basePath: "" };
    await finish(await probeGateway({ ...server, probe: command.probe, timeoutMs: command.timeoutMs, get: httpGet }));
    break;
  }
  case "doctor": {
    const { loaded, routingProblems } = await readHere(command.configPath);
    const { examineFaults } = await import("./doctor.ts");
    await finish(await examineFaults(loaded, routingProblems(loaded.config), command));
    break;
  }
  case "serve": {
    const { startConfigurationReader } = await import("./configuration-reader.ts");
    const read = startConfigurationReader();
    const reading = read({ configPath: command.configPath, providerTypes: await providerTypeInfos() });
    const { formatProblems } = await import("./config/format-problems.ts");
    const { serve } = await import("./serve.ts");
    const { config, problems } = await reading;
    if (problems.length > 0) process.stderr.write(formatProblems(problems));
    if (config === undefined) {
      const stderr = "gomodel does not start with a configuration that has errors.\n";
      await finish({ exitCode: 1, stdout: "", stderr });
    } else {
      await serve(config, command.demo);
    }
    break;
  }
}

/** For commands that end: in this thread. */
async function readHere(configPath: string | undefined) {
  const { readConfiguration, routingProblems } = await import("./configuration.ts");
  return { loaded: readConfiguration(configPath, await providerTypeInfos()), routingProblems };
}

async function providerTypeInfos() {
  const { providerTypes } = await import("./providers/registry.ts");
  return providerTypes.map(({ info }) => info);
}

/** A pipe takes 64 kB at a time: what its reader has not got by the exit would be lost. */
async function finish({ exitCode, stdout, stderr }: Outcome): Promise<never> {
  await Promise.all([written(process.stdout, stdout), written(process.stderr, stderr)]);
  process.exit(exitCode);
}

/** Whoever closes the pipe early has read enough. */
function written(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => {
    stream.on("error", () => resolve());
    stream.write(text, () => resolve());
  });
}
