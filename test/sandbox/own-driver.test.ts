import { mkdir } from "node:fs/promises";
import { expect, test } from "vitest";
import type { SandboxDriver } from "../../src/entries/host.ts";
import { drivers, probeDriver } from "../../src/sandbox/index.ts";
import { bash, kitFolder } from "../support/kit-folder.ts";

const { at, open } = kitFolder("haft-own-driver-", async (place) => {
  await mkdir(place("work"), { recursive: true });
});

const strongest = drivers[0] ?? never();
const isMissing = !(await probeDriver(strongest)).works;

const named: SandboxDriver["report"] = (policy) => ({
  ...strongest.report(policy),
  provider: "mine",
});

/** A driver of a user: another under a name of its own, optionally one that starts programs as they are. */
function ownDriver(confines: boolean): SandboxDriver {
  return {
    name: "mine",
    missing: async () => undefined,
    report: named,
    prepare: async (policy) => {
      const sandbox = await strongest.prepare(policy);
      const { helper: _helper, ...plain } = sandbox;
      return {
        ...plain,
        report: named(policy),
        wrap: (argv, options = {}) =>
          confines
            ? sandbox.wrap(argv, options)
            : {
                argv,
                cwd: options.cwd ?? policy.workspace,
                env: policy.environment,
                descriptors: [],
              },
      };
    },
  };
}

function never(): never {
  throw new TypeError("There is no driver.");
}

test.skipIf(isMissing)("a driver of the user's confines commands", async () => {
  const kit = await open({ sandbox: { driver: ownDriver(true), require: "enforced" } });

  const { text, metadata } = await bash(kit, `echo x > ${at("outside")}; echo done`);

  expect(text).toContain("done");
  expect(metadata["sandbox"]).toMatchObject({ provider: "mine", filesystem: "enforced" });
  expect((await kit.doctor()).confinement).toMatchObject({ provider: "mine" });
});

test.skipIf(isMissing)("a driver that reports more than it enforces is not used", async () => {
  const kit = await open({ sandbox: { driver: ownDriver(false), require: "enforced" } });

  const { error } = await bash(kit, "echo started");

  expect(error).toMatchObject({
    code: "UNAVAILABLE",
    message: expect.stringMatching(/mine: Its canaries went wrong \(.*write-outside/u),
  });
});

test("a driver that does not exist is refused with the names of those that do", async () => {
  await expect(open({ sandbox: { driver: "bubble" } })).rejects.toThrow(
    /sandbox\.driver.*one of bwrap, landlock, unshare/u,
  );
});
