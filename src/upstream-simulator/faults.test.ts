import { afterAll, beforeAll, expect, test } from "bun:test";
import { allDialects } from "./fault.ts";
import { faults, faultsIn, findFault } from "./faults.ts";
import { modelRequest, openRawConnection } from "../../test/support/raw-exchange.ts";
import { readModelName } from "./model-name.ts";
import { startSimulator, type Simulator } from "./simulator.ts";

let simulator: Simulator;
beforeAll(() => {
  simulator = startSimulator();
});
afterAll(() => simulator.stop());

const everywhere = [...new Set(allDialects.flatMap(faultsIn))];

test("every name is used once", () => {
  expect(new Set(everywhere.map(({ name }) => name)).size).toBe(everywhere.length);
});

test("every fault has a form in the dialects that list it, and is whole only where it has one", () => {
  for (const fault of everywhere) {
    for (const dialect of allDialects) {
      const has = fault.formsIn(dialect).length > 0;
      expect(`${fault.name} ${dialect} ${faultsIn(dialect).includes(fault)}`).toBe(`${fault.name} ${dialect} ${has}`);
      if (fault.wholeIn(dialect)) expect(`${fault.name} ${dialect} ${has}`).toBe(`${fault.name} ${dialect} true`);
    }
    expect(fault.modes).toEqual(fault.formsIn("chat-completions"));
    expect(fault.whole).toBe(fault.wholeIn("chat-completions"));
  }
});

test("the right answers are variants of ok as well", () => {
  expect(
    ["ok-tools", "ok-reasoning", "ok-length", "ok-empty", "ok-call-with-id"].map((name) => findFault(name)?.fault.name),
  ).toEqual(["tools", "reasoning", "finish-length", "no-content", "call-with-id"]);
});

test("every example is read as the fault that gives it", () => {
  for (const fault of everywhere) {
    expect(fault.examplesIn("messages").length).toBeGreaterThan(0);
    for (const example of fault.examplesIn("messages")) {
      expect(
        `${example} ${readModelName(`some.prefix.${example}@3`.replace(/^([^~]*)(~.*)@3$/, "$1@3$2"))?.fault.name}`,
      ).toBe(`${example} ${fault.name}`);
    }
  }
});

test.each([
  "",
  "OK",
  "ok-",
  "ok-x",
  "ok-123456",
  "okay",
  "status",
  "status-1234",
  "status-503-unknown",
  "status-503@",
  "status-503@x",
  "status-503~",
  "status-503~a b=c",
  "status-503~retry-after=%zz",
  "paced-10",
  "a.",
])("%p means nothing", (name) => {
  expect(readModelName(name)).toBeUndefined();
});

test("the longest name that fits wins", () => {
  expect(findFault("error-middle-then-done-429")?.fault.name).toBe("error-middle-then-done");
  expect(findFault("error-middle-429")?.fault.name).toBe("error-middle");
});

test("a number of calls belongs to the name, not to the fault", () => {
  expect(readModelName("x/y.status-429@7~retry-after=1")).toMatchObject({ faultyCalls: 7, fault: { name: "status" } });
  expect(readModelName("status-429")?.faultyCalls).toBeUndefined();
});

const silent = /^hang-before-answer$|^fin-before-answer$|^reset-before-answer$/;

test("every example in every mode it applies to sends something of its own", async () => {
  const cells = faults.flatMap((fault) =>
    fault.modes.flatMap((mode) => fault.examples.map((example) => ({ mode, example }))),
  );
  for (const { mode, example } of cells.filter(({ example }) => !silent.test(example))) {
    const client = openRawConnection(simulator.port);
    client.send(modelRequest("chat/completions", example, { stream: mode === "stream" }));
    const { text } = await client.receive((soFar) => soFar.text.length > 0);
    expect(`${example} ${text.slice(0, 2000)}`).not.toMatch(/model_not_found|fault_not_applicable/);
    expect(`${example} ${text.length > 0}`).toBe(`${example} true`);
    client.close();
  }
}, 20_000);
