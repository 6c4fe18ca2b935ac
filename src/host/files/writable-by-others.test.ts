import { chmodSync, mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { isWritableByOthers } from "./writable-by-others.ts";

const at = temporaryFolder("writable-by-others");

test.skipIf(process.getuid === undefined)(
  "other users may write where the permission bits say so, and below that",
  () => {
    mkdirSync(at("open/inside"), { recursive: true });
    chmodSync(at("open/inside"), 0o755);
    expect(isWritableByOthers(at("open/inside"))).toBe(false);

    chmodSync(at("open"), 0o777);
    expect(isWritableByOthers(at("open"))).toBe(true);
    expect(isWritableByOthers(at("open/inside"))).toBe(true);

    // Sticky: other users can only add entries, not replace them.
    chmodSync(at("open"), 0o1777);
    expect(isWritableByOthers(at("open"))).toBe(true);
    expect(isWritableByOthers(at("open/inside"))).toBe(false);
  },
);
