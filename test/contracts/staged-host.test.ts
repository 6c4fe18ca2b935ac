import { memoryHost, openStagedHost } from "../../src/host/index.ts";
import { hostContract } from "./host-contract.ts";

hostContract(
  "staged",
  async () => {
    const base = memoryHost();
    const { control } = base;
    const { host } = await openStagedHost(base);
    return {
      host,
      root: control.root,
      link: async (path, target) => await host.fs.makeLink?.(path, target),
      fifo: (path) => control.plant(path, { kind: "fifo" }),
    };
  },
  { startsNoPrograms: true, setsNoTraits: true },
);
