import { expect, test } from "vitest";
import { localStore } from "../../src/host/store/index.ts";
import { createToolkit } from "../../src/kit/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const at = temporaryFolder("unusable-directory");

// Node's recursive mkdir does not end below /proc.
test.each(["/proc/x/y", "/sys/x", "/dev/x", "/proc"])(
  "a data directory %s is refused at once, and the error says which option to give",
  async (dataDirectory) => {
    const refused = {
      name: "TypeError",
      hint: "Choose another one with --data-dir, or dataDirectory in a program.",
    };

    await expect(createToolkit({ workspace: at("."), dataDirectory })).rejects.toMatchObject(
      refused,
    );
    await expect(localStore(dataDirectory)).rejects.toMatchObject(refused);
  },
);

test("a data directory in shared memory is used", async () => {
  const store = await localStore("/dev/shm/haft-store");

  expect(store.directory).toBe("/dev/shm/haft-store");
});

test("a toolkit of an account whose home is /dev/null can read", async () => {
  const dataDirectory = "/dev/null/.local/share/haft";
  const kit = await createToolkit({ workspace: at("."), dataDirectory });

  const outcome = await kit.call({ name: "Glob", input: { pattern: "*" } });
  await kit.dispose();

  expect(outcome.status).toBe("ok");
});
