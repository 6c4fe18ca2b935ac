import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach } from "vitest";

/**
 * Paths in a folder that every test has new and that is gone after it, also after the hooks that a file adds later.
 * The folder itself, canonical, is `at("")`.
 */
export function temporaryFolder(name: string, parent = tmpdir()): (below: string) => string {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(path.join(realpathSync(parent), `haft-${name}-`));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return (below) => path.join(folder, below);
}
