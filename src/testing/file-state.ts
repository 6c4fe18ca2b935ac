import type { SeenFiles, FileView } from "../core/index.ts";

/** File state of one bench: views of the same content are merged, a new content or encoding replaces the old view. */
export function memoryFileState(): SeenFiles {
  const views = new Map<string, FileView>();
  return {
    saw: (path, view) => {
      views.set(path, addedUp(views.get(path), view));
    },
    view: (path) => views.get(path),
    forget: (path) => {
      views.delete(path);
    },
  };
}

function addedUp(before: FileView | undefined, now: FileView): FileView {
  if (before?.hash !== now.hash || before.encoding?.name !== now.encoding?.name) return now;
  const known = before.encoding?.isConcluded === true ? now : before;
  const encoding = known.encoding === undefined ? {} : { encoding: known.encoding };
  if (before.ranges === undefined || now.ranges === undefined)
    return { hash: now.hash, ...encoding };
  return { hash: now.hash, ranges: [...before.ranges, ...now.ranges], ...encoding };
}
