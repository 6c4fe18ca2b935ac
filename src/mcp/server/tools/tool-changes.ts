import type { McpToolkit } from "./mcp-toolkit.ts";

/**
 * Calls back when the offered tools may have changed: some were added or removed, or the mode now offers others.
 * Changes made in one tick are combined into one callback. The returned function unsubscribes.
 */
export function watchTools(toolkit: McpToolkit, onChange: () => void): () => void {
  let isPending = false;
  let isStopped = false;
  const unsubscribe = toolkit.events.subscribe((event) => {
    if (event.type !== "tools-change" && event.type !== "mode-change") return;
    // The list has deferred tools too, so activating one does not change it.
    if (event.type === "tools-change" && event.activated !== undefined) return;
    if (isPending) return;
    isPending = true;
    queueMicrotask(() => {
      isPending = false;
      if (!isStopped) onChange();
    });
  });
  return () => {
    isStopped = true;
    unsubscribe();
  };
}
