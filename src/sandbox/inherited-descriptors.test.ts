import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { moduleFlags } from "../../test/support/from-source.ts";

const source = new URL("./inherited-descriptors.ts", import.meta.url).href;
const program = (workspace: string): string => `
  const { spawnSync } = await import("node:child_process");
  const { inheritedDescriptors, nothingInherited } = await import(${JSON.stringify(source)});
  const { stdio, close } = nothingInherited(3);
  const shown = spawnSync("/bin/readlink", ["/proc/self/fd/40"], { stdio: ["ignore", "pipe", "pipe", ...stdio] });
  close();
  const known = inheritedDescriptors(8).filter(({ number }) => number === 40);
  const { drivers, sandboxPolicy } = await import(${JSON.stringify(new URL("./index.ts", import.meta.url).href)});
  const place = ${JSON.stringify(workspace)};
  const policy = await sandboxPolicy({ workspace: place, home: place, temporary: place, variables: {} });
  const counts = [];
  const sandboxes = [];
  for (const name of ["bwrap", "landlock", "unshare"]) {
    sandboxes.push(await drivers.find((one) => one.name === name).prepare(policy));
  }
  const count = () => counts.push(sandboxes.map((one) =>
    one.wrap(["true"]).descriptors.filter(({ number }) => number === 40).length));
  count();
  // The other way round, opening what is given to programs, cannot be done in JavaScript.
  (await import("node:fs")).closeSync(40);
  count();
  for (const one of sandboxes) await one.dispose();
  console.log(JSON.stringify([known, shown.stdout.toString().trim(), counts]));
`;

test.runIf(process.platform === "linux")(
  "a folder this program was given open is closed to what it starts, each time as it is then",
  () => {
    const folder = mkdtempSync(path.join(tmpdir(), "haft-inherited-"));
    const open = openSync(folder, "r");
    try {
      // Node itself closes the lowest of them.
      const told = execFileSync(process.execPath, [...moduleFlags, program(folder)], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "inherit", ...Array<"ignore">(37).fill("ignore"), open],
      });

      expect(JSON.parse(told)).toEqual([
        [{ number: 40, kind: "file", path: "/dev/null" }],
        "/dev/null",
        [
          [1, 1, 1],
          [0, 0, 0],
        ],
      ]);
    } finally {
      closeSync(open);
      rmSync(folder, { recursive: true });
    }
  },
);
