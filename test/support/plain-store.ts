import type { Store } from "../../src/core/index.ts";

/** The store as one that an author wrote without files: only its areas are left. */
export function withoutFiles(store: Store): Store {
  return {
    area(areaName) {
      const area = store.area(areaName);
      return {
        read: async (name) => await area.read(name),
        replace: async (name, bytes, options) => await area.replace(name, bytes, options),
        append: async (name) => await area.append(name),
        list: (prefix) => area.list(prefix),
        remove: async (name) => await area.remove(name),
        lock: async (name, options) => await area.lock(name, options),
      };
    },
  };
}
