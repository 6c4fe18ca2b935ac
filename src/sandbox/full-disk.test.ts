import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { typeScriptFlags } from "../../test/support/from-source.ts";

const at = temporaryFolder("full-disk");

/** Whether a small file system of one's own can be mounted here. */
const canMount =
  process.platform === "linux" &&
  spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;

test.skipIf(!canMount)(
  "where the disk of temporary files is full, a command and the doctor say so",
  () => {
    const script = `
      import { createToolkit } from ${JSON.stringify(new URL("../index.ts", import.meta.url).href)};
      const { DIRECTORY: dataDirectory = "", WORKSPACE: workspace = "" } = process.env;
      const kit = await createToolkit({ workspace, dataDirectory, mode: "bypassPermissions" });
      const { error } = await kit.call({ name: "Bash", input: { command: "node -e 1" } });
      const { checks } = await kit.doctor();
      const check = checks.find(({ name }) => name === "confinement");
      await kit.dispose();
      console.log(JSON.stringify({ code: error?.code, state: check?.state, text: check?.text }));
    `;
    writeFileSync(at("script.mts"), script);
    const command = `
      mkdir -p full data workspace && mount -t tmpfs -o nr_inodes=2 none full || exit 1
      : >full/last
      TMPDIR=$PWD/full DIRECTORY=$PWD/data WORKSPACE=$PWD/workspace exec "$@"`;

    const program = [process.execPath, ...typeScriptFlags, at("script.mts")];
    const ended = spawnSync("unshare", ["-rm", "sh", "-c", command, "sh", ...program], {
      cwd: at(""),
    });

    expect(ended.stderr.toString()).toBe("");
    expect(JSON.parse(ended.stdout.toString())).toEqual({
      code: "NO_SPACE",
      state: "broken",
      text: `no driver could be tried, so no command runs: There is no space left for temporary files in ${at("full")}.`,
    });
  },
);
