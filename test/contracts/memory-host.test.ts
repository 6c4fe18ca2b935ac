import { memoryHost } from "../../src/host/index.ts";
import { contractPrograms } from "./host/programs.ts";
import { hostContract } from "./host-contract.ts";

hostContract("memory", async () => {
  const host = memoryHost({ programs: contractPrograms });
  const { control } = host;
  return {
    host,
    root: control.root,
    link: (path, target) => control.plant(path, { kind: "symlink", target }),
    fifo: (path) => control.plant(path, { kind: "fifo" }),
  };
});
