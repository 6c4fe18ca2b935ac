import { expect, test } from "vitest";
import { memoryHost } from "../../testing/index.ts";
import { understand } from "./analyze-command.ts";

async function isListed(
  command: string,
  files: Readonly<Record<string, string>>,
): Promise<boolean> {
  const programs = ["wc", "md5sum", "du", "cat", "git", "xargs", "touch", "cd"];
  const host = memoryHost({
    files: {
      ...Object.fromEntries(programs.map((name) => [`/usr/bin/${name}`, ""])),
      "a.ts": "",
      "src/b.ts": "",
      ...files,
    },
  });
  const seen = { ...host, info: { ...host.info, path: ["/usr/bin"] } };
  return (await understand(command, { host: seen, cwd: "/project", workspace: "/project" }))
    .isListed;
}

const planted = { "--files0-from=list": "" };

test.each([
  "wc *",
  "wc -l *.ts",
  "wc *t",
  "du -s *",
  "md5sum -- a.ts && md5sum *",
  "cd src && cd .. && wc *",
  "git ls-files | xargs wc -l",
  'for f in *; do wc "$f"; done',
])("%s is listed, unless a name in the directory could be an option", async (command) => {
  expect(await isListed(command, {})).toBe(true);
  expect(await isListed(command, planted)).toBe(false);
});

test.each(["wc ./*", "wc -- *", "wc src/*", "cat a.ts", "cd src && wc *"])(
  "%s is listed whatever the names are",
  async (command) => {
    expect(await isListed(command, planted)).toBe(true);
  },
);

test.each(["touch -- --files0-from=list; wc *", "wc *; touch ./-x; wc *"])(
  "%s writes such a name itself",
  async (command) => {
    expect(await isListed(command, {})).toBe(false);
  },
);
