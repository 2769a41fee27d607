// Every official SDK with every scenario at every target and through every chain.

import { describe } from "bun:test";
import { describeSdk } from "./describe-sdk.ts";
import { drivers } from "./drivers.ts";

for (const driver of drivers) describe(driver.name, () => describeSdk(driver, true));
