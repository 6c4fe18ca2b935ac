import type { Store } from "../../core/index.ts";
import { systemClock } from "../clock.ts";
import { MemoryFaults } from "../memory/memory-faults.ts";
import { MemoryFs } from "../memory/memory-fs.ts";
import { MemoryTree } from "../memory/memory-tree.ts";
import { fileStore } from "./file-store.ts";

/**
 * A store in memory, which ends with this process. Toolkits that are given the same one share what it holds.
 *
 * @example
 * const kit = await createToolkit({ host: memoryHost(), store: memoryStore() });
 */
export function memoryStore(): Store {
  const tree = new MemoryTree(() => systemClock.now());
  // A name of its own: the paths of artifacts are shown to models, next to those of a host.
  const directory = `/.haft-store-${crypto.randomUUID().slice(0, 8)}`;
  tree.makeDirectories(directory, 0o700);
  return fileStore({
    files: {
      fs: new MemoryFs(tree, new MemoryFaults()),
      directory,
      home: `${directory}/settings/home`,
      managed: `${directory}/settings/managed`,
    },
    clock: systemClock,
    isOnDisk: false,
  });
}
