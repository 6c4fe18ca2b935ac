import { afterEach, beforeEach, describe } from "vitest";
import { confinementContract } from "./host/confinement.ts";
import { globContract } from "./host/glob.ts";
import { grepContract } from "./host/grep.ts";
import { machineContract } from "./host/machine.ts";
import { pathContract } from "./host/paths.ts";
import { processContract } from "./host/processes.ts";
import { outputReadingContract } from "./host/reading-output.ts";
import { rawHostContract } from "./host/raw-host.ts";
import { readingContract } from "./host/reading.ts";
import { ContractWorld, type HostContractOptions, type HostWorld } from "./host/world.ts";
import { trackedContract } from "./host/tracked.ts";
import { traitsContract } from "./host/traits.ts";
import { writingContract } from "./host/writing.ts";

/** Requirements on every host; a new one is accepted when this passes. */
export function hostContract(
  name: string,
  makeWorld: () => Promise<HostWorld>,
  options: HostContractOptions = {},
): void {
  describe(`host contract: ${name}`, () => {
    let current: ContractWorld | undefined;
    const world = (): ContractWorld => {
      if (current === undefined) throw new Error("There is no world outside a test.");
      return current;
    };
    beforeEach(async () => {
      current = new ContractWorld(await makeWorld());
    });
    afterEach(async () => {
      await current?.dispose();
    });

    if (options.isSearchOnly !== true) {
      if (options.startsNoPrograms !== true) machineContract(world);
      pathContract(world);
      readingContract(world);
      writingContract(world);
      if (options.startsNoPrograms !== true) {
        processContract(world);
        outputReadingContract(world);
        confinementContract(world, options);
      }
      if (options.isNarrowed !== true) {
        rawHostContract(world, options);
        if (options.setsNoTraits !== true) traitsContract(world);
      }
    }
    grepContract(world);
    globContract(world);
    trackedContract(world);
  });
}
