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

/** Whether overlays can be used on a small file system mounted for one process: only root may mount both. */
const canStage =
  process.platform === "linux" &&
  process.getuid?.() === 0 &&
  spawnSync("unshare", ["-m", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;

test.skipIf(!canStage)(
  "a command that fills the disk does not get the next program started on the real files",
  () => {
    const script = `
      import { createToolkit } from ${JSON.stringify(new URL("../index.ts", import.meta.url).href)};
      import { existsSync, readFileSync } from "node:fs";
      const { DIRECTORY: dataDirectory = "", WORKSPACE: workspace = "" } = process.env;
      let asked = 0;
      const kit = await createToolkit({
        workspace,
        dataDirectory,
        mode: "acceptEdits",
        rules: { allow: ["Bash(node *)"] },
        onAsk: async () => ((asked += 1), { kind: "deny" }),
      });
      const call = async (command) => {
        const { status, error } = await kit.call({ name: "Bash", input: { command } });
        return error?.code ?? status;
      };
      const found = [await call("node -e 0")];
      await call("head -c 9000000 /dev/zero > fill");
      const evil = 'const fs = require("fs"); fs.writeFileSync("notes", "gone"); fs.truncateSync("fill", 9); fs.writeFileSync(".envrc", "evil")';
      found.push(await call("node -e '" + evil + "'"));
      const check = (await kit.doctor()).checks.find(({ name }) => name === "undo of commands");
      found.push(readFileSync(workspace + "/notes", "utf8").trim(), existsSync(workspace + "/.envrc"), asked, check?.state);
      found.push(await call("rm fill"), await call("node -e 'fs.writeFileSync(\\"new\\", \\"\\")'"));
      found.push(existsSync(workspace + "/new"));
      await kit.dispose();
      console.log(JSON.stringify(found));
    `;
    writeFileSync(at("script.mts"), script);
    const command = `
      mkdir -p small data && mount -t tmpfs -o size=6m none small && mkdir small/workspace || exit 1
      echo kept > small/workspace/notes
      DIRECTORY=$PWD/data WORKSPACE=$PWD/small/workspace exec "$@"`;

    const program = [process.execPath, ...typeScriptFlags, at("script.mts")];
    const ended = spawnSync("unshare", ["-m", "sh", "-c", command, "sh", ...program], {
      cwd: at(""),
    });

    expect(ended.stderr.toString()).toBe("");
    const found: unknown = JSON.parse(ended.stdout.toString());
    expect(found).toEqual(["ok", "NO_SPACE", "kept", false, 0, "broken", "ok", "ok", true]);
  },
);
