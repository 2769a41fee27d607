import { expect, test } from "bun:test";
import { type CpuProfile, selfTimes } from "./cpu-profile.ts";

const frame = (functionName: string, url: string) => ({ functionName, url });
const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame("(root)", ""), children: [2, 4] },
    { id: 2, callFrame: frame("deliver", "file:///app/deliver.ts"), children: [3] },
    { id: 3, callFrame: frame("write", "") },
    { id: 4, callFrame: frame("", "") },
  ],
  samples: [2, 3, 3, 4],
  timeDeltas: [1000, 1000, 2000, 500],
};

test("native time is told with the function that called it, and without one as native", () => {
  expect(selfTimes(profile, 0, 10)).toEqual([
    { name: "write", caller: "< deliver /app/deliver.ts", callerFile: "/app/deliver.ts", selfMicroseconds: 3000 },
    { name: "deliver", caller: "/app/deliver.ts", callerFile: "/app/deliver.ts", selfMicroseconds: 1000 },
    { name: "(anonymous)", caller: "native", callerFile: "", selfMicroseconds: 500 },
  ]);
});

test("samples before and after the measured time do not count", () => {
  expect(selfTimes(profile, 1.5, 4).map(({ name, selfMicroseconds }) => [name, selfMicroseconds])).toEqual([
    ["write", 3000],
  ]);
});
