import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";

const source = new URL("./inherited-descriptors.ts", import.meta.url).href;
const program = `
  const { spawnSync } = await import("node:child_process");
  const { inheritedDescriptors, nothingInherited } = await import(${JSON.stringify(source)});
  const { stdio, close } = nothingInherited(3);
  const shown = spawnSync("/bin/readlink", ["/proc/self/fd/40"], { stdio: ["ignore", "pipe", "pipe", ...stdio] });
  close();
  console.log(JSON.stringify([inheritedDescriptors(8).filter(({ number }) => number === 40), shown.stdout.toString().trim()]));
`;

test.runIf(process.platform === "linux")(
  "a folder this program was given open is closed to what it starts",
  () => {
    const folder = mkdtempSync(path.join(tmpdir(), "haft-inherited-"));
    const open = openSync(folder, "r");
    try {
      // Node closes the lowest of them by itself.
      const flags = ["--no-warnings", "--experimental-strip-types", "--input-type=module", "-e"];
      const told = execFileSync(process.execPath, [...flags, program], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "inherit", ...Array<"ignore">(37).fill("ignore"), open],
      });

      expect(JSON.parse(told)).toEqual([
        [{ number: 40, kind: "file", path: "/dev/null" }],
        "/dev/null",
      ]);
    } finally {
      closeSync(open);
      rmSync(folder, { recursive: true });
    }
  },
);
