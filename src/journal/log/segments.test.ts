import { expect, test } from "vitest";
import { ToolError, type HostFs } from "../../core/index.ts";
import { memoryHost } from "../../host/index.ts";
import { segmentsIn } from "./segments.ts";

const directory = "/data/journal";

test("a directory that is missing has no segments, and one that cannot be listed is named", async () => {
  const { fs } = memoryHost();
  const denied = new ToolError("PERMISSION_DENIED", "It cannot be listed.");
  const closed: Pick<HostFs, "list"> = {
    // eslint-disable-next-line require-yield
    async *list() {
      throw denied;
    },
  };

  expect(await segmentsIn(fs, directory)).toEqual({ names: [], unreadable: new Map() });
  expect(await segmentsIn({ ...fs, ...closed }, directory)).toEqual({
    names: [],
    unreadable: new Map([["", "It cannot be listed."]]),
  });
});
