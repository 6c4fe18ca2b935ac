import { expect, test } from "vitest";
import { cliWorld, haft } from "../../test/support/cli.ts";
import { verbs } from "./verbs.ts";

const names = verbs.map(({ name }) => name);

test("no words, help, --help and -h print the same help, with every verb and the exit codes", async () => {
  const asked = await Promise.all([[], ["help"], ["--help"], ["-h"]].map((words) => haft(words)));

  for (const { code, out, err } of asked) {
    expect({ code, out, err }).toEqual({ code: 0, out: asked[0]?.out, err: "" });
  }
  const [{ out } = { out: "" }] = asked;
  for (const name of names) expect(out).toMatch(new RegExp(`^  ${name} +\\S`, "mu"));
  for (const exit of ["0 ok", "2 usage", "3 denied", "124 timed out", "130 interrupted"]) {
    expect(out).toContain(exit);
  }
});

test.each(names)("haft %s --help prints how to use it, and so does haft help %s", async (name) => {
  const asked = await haft([name, "--help"]);
  const helped = await haft(["help", name]);

  expect({ code: asked.code, err: asked.err }).toEqual({ code: 0, err: "" });
  expect(asked.out).toMatch(/^Usage: haft /u);
  expect(asked.out).toContain(`haft ${name}`);
  expect(asked.out).toContain("--help");
  expect(helped.out).toBe(asked.out);
});

test.each([
  ["cal", 'haft: There is no verb "cal". Did you mean call?'],
  ["tool", 'haft: There is no verb "tool". Did you mean tools?'],
  ["histroy", 'haft: There is no verb "histroy". Did you mean history?'],
  ["xyzzy", 'haft: There is no verb "xyzzy".\n'],
  ["--verison", 'haft: There is no option "--verison". Did you mean --version?'],
])("%s is not a verb", async (name, says) => {
  const { code, out, err } = await haft([name]);

  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(says);
  expect(err).toContain("haft --help lists the verbs.");
});

test("an option before the verb gets an error that says where it belongs", async () => {
  const { code, err } = await haft(["-C", "/tmp", "call", "Read"]);

  expect(code).toBe(2);
  expect(err).toBe(
    'haft: There is no option "-C".\nPut the options of a verb after it, as in haft call Read file_path=a.txt -C folder.\n',
  );
});

test.each(names)("an option that haft %s does not have is an error of usage", async (name) => {
  const { code, out, err } = await haft([name, "--hepl"]);

  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toBe(
    "haft: There is no option --hepl here. Did you mean --help?\nAdd --help to see the options.\n",
  );
});

test.each([["mcp"], ["doctor"], ["gc"], ["tools", "list"], ["permissions", "list"]])(
  "a surplus argument is an error: %s %s",
  async (...verb) => {
    await using world = await cliWorld();

    const { code, err } = await haft([...verb.filter((word) => word !== undefined), "extra"], {
      world,
    });

    expect(code).toBe(2);
    expect(err).toMatch(/^haft: Unexpected argument "extra"\.\n./u);
  },
);
