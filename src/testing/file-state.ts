import type { FileState, FileView } from "../core/index.ts";

/** What was read, for one bench: views of the same content add up, a new content replaces the old. */
export function memoryFileState(): FileState {
  const views = new Map<string, FileView>();
  return {
    saw: (path, view) => {
      const before = views.get(path);
      const isSame = before?.hash === view.hash;
      if (isSame && before.ranges === undefined) return;
      const ranges =
        isSame && view.ranges !== undefined
          ? [...(before.ranges ?? []), ...view.ranges]
          : view.ranges;
      views.set(path, ranges === undefined ? { hash: view.hash } : { hash: view.hash, ranges });
    },
    view: (path) => views.get(path),
    forget: (path) => {
      views.delete(path);
    },
  };
}
