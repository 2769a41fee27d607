// Runs the simulators that the command line names until it is interrupted: `bun scripts/simulate.ts 9001 gpt=status-503 9002 gpt=ok`.

import { startSimulator } from "../src/upstream-simulator/simulator.ts";
import { readSimulators } from "./documentation/simulator-arguments.ts";

const wanted = readSimulators(process.argv.slice(2));
if (typeof wanted === "string") {
  process.stderr.write(`${wanted}\nUsage: node scripts/simulate.mjs PORT MODEL=FAULT ... [PORT MODEL=FAULT ...]\n`);
  process.exit(2);
}
for (const { port, faults } of wanted) {
  const simulator = startSimulator({ port, models: [...faults.keys()], recordCalls: false });
  for (const [model, fault] of faults) simulator.setFault(model, fault);
  console.log(`${simulator.baseUrl}: ${[...faults].map(([model, fault]) => `${model} is ${fault}`).join(", ")}`);
}
