// An index of its own: only a kit that is opened, and programs that open a store, load it.
export { fileStore } from "./file-store.ts";
export { localStore, requireStorage, storeHere } from "./local-store.ts";
export { memoryStore } from "./memory-store.ts";
export { filesOf, hostWithStore } from "./routed-host.ts";
