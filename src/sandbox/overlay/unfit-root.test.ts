import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { ToolError } from "../../core/index.ts";
import { isUnfit } from "./overlay.ts";

const at = temporaryFolder("unfit-root");
const elsewhere = "/proc";
const unfit = "mount: /x: wrong fs type, bad option, bad superblock on tag.";

test.runIf(process.platform === "linux").each([
  { because: "it is on another file system", roots: ["", elsewhere], hint: unfit, is: true },
  { because: "all are on the same one", roots: ["", ""], hint: unfit, is: false },
  { because: "the workspace is alone", roots: [""], hint: unfit, is: false },
  { because: "it is not permitted", roots: ["", elsewhere], hint: "Permission denied", is: false },
  { because: "it may be over", roots: ["", elsewhere], hint: unfit, retryable: true, is: false },
])("a root cannot be covered, as $because: $is", ({ roots, hint, retryable = false, is }) => {
  const error = new ToolError("UNAVAILABLE", "It could not be mounted.", { hint, retryable });

  const found = isUnfit(
    error,
    roots.map((root) => (root === elsewhere ? root : at(root))),
  );

  expect(found).toBe(is);
});
