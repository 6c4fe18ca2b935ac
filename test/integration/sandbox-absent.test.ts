import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createToolkit, memoryHost } from "../../src/index.ts";
import { bash, kitFolder } from "../support/kit-folder.ts";
import { leaveNothing } from "../support/leftovers.ts";

leaveNothing();

const { at, keep, open } = kitFolder("haft-unconfined-", (place) => mkdirSync(place("work")));

test("a sandbox that was switched off is reported", async () => {
  const kit = await open({ sandbox: { require: "off" } });

  const { metadata } = await bash(kit, "echo hello");

  expect(metadata["sandbox"]).toMatchObject({
    provider: "none",
    because: "It was switched off.",
  });
});

test("where nothing enforces a required sandbox, no command runs, and the error says what would", async () => {
  writeFileSync(at("work/script.sh"), "echo x > made");
  const kit = await open({ sandbox: { require: "enforced", driver: "unshare" } });

  const { status, error } = await bash(kit, "sh script.sh");
  const read = await kit.call({ name: "Read", input: { file_path: "script.sh" } });

  expect(status).toBe("failed");
  expect(error).toMatchObject({ code: "UNAVAILABLE", hint: expect.stringContaining("sandbox") });
  expect(existsSync(at("work/made"))).toBe(false);
  expect(read.status).toBe("ok");
});

test("a host that cannot confine is refused where that is required, and reported where it is not", async () => {
  const host = memoryHost({ programs: { bash: () => 0 } });
  const strict = keep(
    await createToolkit({ host, mode: "bypassPermissions", sandbox: { require: "enforced" } }),
  );
  expect((await bash(strict, "true")).error?.code).toBe("UNAVAILABLE");
  const kit = keep(await createToolkit({ host, mode: "bypassPermissions" }));

  const { metadata } = await bash(kit, "true");

  expect(metadata["sandbox"]).toMatchObject({ because: "This host cannot confine." });
});
