import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createToolkit, type Kit } from "../../src/index.ts";
import { probeOverlay } from "../../src/sandbox/index.ts";
import { exactTree } from "../support/exact-tree.ts";
import { bash, python } from "../support/kit-folder.ts";
import { leaveNothing } from "../support/leftovers.ts";
import { areLawsFull } from "../support/law-runs.ts";

leaveNothing();

const missing = await probeOverlay({ directory: await realpath(tmpdir()) });

/** Seconds: times are restored to the microsecond, and this is a whole one. */
const then = 1_700_000_000;

/** One step of a sequence: a tool's call, or a program that does as it likes. */
const name = fc.constantFrom("a.txt", "src/b.txt", "c", "src/d", "e/f");
const word = fc.constantFrom("", "one\n", "two\nthree\n", "é\r\n");
const step = fc.oneof(
  fc.record({ kind: fc.constant("write" as const), name, word }),
  fc.record({ kind: fc.constant("remove" as const), name }),
  fc.record({ kind: fc.constant("python" as const), name, word }),
  fc.record({ kind: fc.constant("mode" as const), name, mode: fc.constantFrom(0o600, 0o755) }),
  fc.record({ kind: fc.constant("link" as const), name }),
  fc.record({ kind: fc.constant("tree" as const), name }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function take(kit: Kit, one: Step): Promise<void> {
  const { name: file } = one;
  const parent = path.dirname(file);
  const parents = parent === "." ? "" : `os.makedirs('${parent}', exist_ok=True); `;
  switch (one.kind) {
    case "write":
      await kit.call({ name: "Read", input: { file_path: file } });
      await kit.call({ name: "Write", input: { file_path: file, content: one.word } });
      return;
    case "remove":
      await bash(kit, `rm -f ${file}`);
      return;
    case "python":
      await bash(kit, python(`${parents}open('${file}', 'w').write('${escape(one.word)}')`));
      return;
    case "mode":
      await bash(kit, python(`os.chmod('${file}', ${one.mode})`));
      return;
    case "link":
      await bash(
        kit,
        python(`os.path.lexists('${file}') and os.remove('${file}'); os.symlink('x', '${file}')`),
      );
      return;
    case "tree":
      await bash(kit, python(`shutil.rmtree('src', True); os.makedirs('src/new/empty')`));
  }
}

function escape(content: string): string {
  return content.replaceAll("\r", String.raw`\r`).replaceAll("\n", String.raw`\n`);
}

test.skipIf(missing !== undefined)(
  "sequences of file tools and commands, undone one by one, leave the tree as it was",
  async () => {
    // On a busy machine fewer sequences are tried, and each of them to its end.
    const end = performance.now() + 90_000;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        if (performance.now() > end) return;
        const root = await realpath(await mkdtemp(path.join(tmpdir(), "haft-sequence-")));
        const work = path.join(root, "work");
        mkdirSync(path.join(work, "src"), { recursive: true });
        writeFileSync(path.join(work, "a.txt"), "first\n");
        writeFileSync(path.join(work, "src/b.txt"), "second\n");
        for (const each of ["a.txt", "src/b.txt"]) utimesSync(path.join(work, each), then, then);
        const kit = await createToolkit({
          workspace: work,
          dataDirectory: path.join(root, "data"),
          mode: "bypassPermissions",
        });
        try {
          const before = await exactTree(work);
          for (const one of steps) await take(kit, one);
          const calls = await kit.history();
          for (const _ of calls) await kit.undo();
          expect(await exactTree(work)).toEqual(before);
        } finally {
          await kit.dispose();
          await rm(root, { recursive: true, force: true });
        }
      }),
      { numRuns: areLawsFull ? 25 : 5 },
    );
  },
  240_000,
);
