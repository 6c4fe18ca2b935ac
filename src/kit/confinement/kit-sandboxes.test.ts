import { expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import { loadSecretTables } from "../../text/index.ts";
import { kitSandboxes } from "./kit-sandboxes.ts";

const { secretPlaces } = await loadSecretTables();

function sandboxesOf(memory = memoryHost()) {
  return kitSandboxes(
    memory,
    {
      workspace: "/project",
      boundary: { roots: ["/project"], restrictToWorkspace: true },
      secrets: secretPlaces({ homes: [], variables: {}, workspace: "/project" }),
      programDirectoryOn: () => "/data",
    },
    { require: "off" },
  );
}

test("a directory that could not be created is tried again with the next program", async () => {
  const memory = memoryHost();
  const { sandboxes, prepareCommands } = sandboxesOf(memory);
  memory.control.fail({ operation: "mkdir", fails: "ENOSPC", times: 1 });

  await expect(sandboxes()).resolves.toBeDefined();
  await expect(prepareCommands()).rejects.toMatchObject({ code: "NO_SPACE" });
  await expect(prepareCommands()).resolves.toBeUndefined();
});

test("a call that was aborted creates nothing once the kit is disposed", async () => {
  const memory = memoryHost();
  const disposed = sandboxesOf(memory);
  await disposed.dispose();

  await expect(disposed.sandboxes()).rejects.toMatchObject({ code: "ABORTED" });
  await expect(disposed.prepareCommands()).rejects.toMatchObject({ code: "ABORTED" });
  await expect(disposed.trialSandboxes()).rejects.toMatchObject({ code: "ABORTED" });
  await expect(memory.fs.stat("/data")).rejects.toMatchObject({ code: "NOT_FOUND" });
});
