import { mkdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { userMessage } from "../session/index.ts";
import { createToolkit } from "./create-toolkit.ts";

const at = temporaryFolder("own-files");

test("a command that lists the data directory does not open the sessions in it", async () => {
  await mkdir(at("work"), { recursive: true });
  const kit = await createToolkit({
    workspace: at("work"),
    dataDirectory: at("data"),
    mode: "bypassPermissions",
  });
  await kit.run({
    task: "remember xyzzy",
    model: {
      id: "fake:m",
      async *stream() {
        yield { type: "text", text: "ok" };
        yield { type: "finish", reason: "stop" };
      },
    },
    messages: [userMessage("hello")],
  }).result;
  const script = `d=${at("da")}; python3 -c "
import os, sys
for name in ('sessions.db', 'sessions.db-wal', 'events.db', 'events.db-wal'):
  try: print(name, os.path.getsize(sys.argv[1] + '/' + name))
  except OSError: print(name, 'hidden')
" "$d"ta; ls ${at("data")}`;

  const { text, metadata } = await kit.call({ name: "Bash", input: { command: script } });
  await kit.dispose();

  expect(metadata["sandbox"]).toMatchObject({ filesystem: "enforced" });
  expect(text.match(/\.db\S* [1-9]\d*/gu)).toBeNull();
});
