import { expect, test } from "vitest";
import { cliWorld, haft } from "../../../test/support/cli.ts";
import { drivers, probeDriver } from "../../sandbox/index.ts";

const [bwrap] = drivers;
const works = bwrap !== undefined && (await probeDriver(bwrap)).works;

test.for([
  { words: [], says: "There is no command." },
  { words: ["--driver", "bwarp", "--", "true"], says: 'Did you mean "bwrap"?' },
])("$words is an error of usage", async ({ words, says }) => {
  await using world = await cliWorld();

  const { code, err } = await haft(["sandbox", ...words], { world });

  expect(code).toBe(2);
  expect(err).toContain(says);
});

test.skipIf(!works)("a command runs confined: its output, its exit code, what held", async () => {
  await using world = await cliWorld();
  const line = "echo out; echo err >&2; echo x > /etc/haft-is-not-there; exit 7";

  const { code, out, err } = await haft(["sandbox", "--", "sh", "-c", line], { world });

  expect(code).toBe(7);
  expect(out).toBe("out\n");
  expect(err).toMatch(/^err\n/u);
  expect(err).toMatch(/^sandbox: bwrap \S+, files enforced, network granted, ipc enforced/mu);
  expect(err).toContain("The sandbox kept /etc/haft-is-not-there from being changed.");
});

test.skipIf(!works)("--json is the report alone, --network none closes it", async () => {
  await using world = await cliWorld();

  const { code, out, err } = await haft(
    ["sandbox", "--json", "--network", "none", "--driver", "bwrap", "--", "echo", "hello"],
    { world },
  );

  expect([code, err]).toEqual([0, ""]);
  expect(JSON.parse(out)).toMatchObject({
    code: 0,
    report: { provider: "bwrap", network: "enforced" },
    notes: [],
  });
});

test.skipIf(!works)("what no sandbox can hold is not run", async () => {
  await using world = await cliWorld();

  const { code, err } = await haft(["sandbox", "--", "sudo", "true"], { world });

  expect(code).toBe(1);
  expect(err).toContain("No sandbox here can confine this program, so it was not run.");
});

test("--help says what it takes", async () => {
  const { code, out } = await haft(["sandbox", "--help"]);

  expect(code).toBe(0);
  expect(out).toContain("Usage: haft sandbox [options] -- COMMAND");
});

test("an option of the command without -- gets an error that says where it belongs", async () => {
  const { code, err } = await haft(["sandbox", "ls", "-l"]);

  expect(code).toBe(2);
  expect(err).toBe(
    "haft: There is no option -l here.\nPut options of the command after --, as in haft sandbox -- ls -l.\n",
  );
});
