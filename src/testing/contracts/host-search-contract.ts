import type { GlobQuery, GrepEvent, GrepQuery, Host } from "../../core/index.ts";
import type { ContractCheck } from "../tool-contract.ts";
import {
  all,
  checksOf,
  encoded,
  requireTrue,
  same,
  type Law,
  type ContractHost,
} from "./requirements.ts";

type World = Pick<Host, "fs" | "search"> & ContractHost;

/**
 * Requirements on the search of every host. `open` opens one with an empty directory for each check; `fs` writes the
 * files that `search` finds.
 *
 * @example
 * const { fs } = memoryHost();
 * const open = async () => ({ fs, search: scriptSearch(fs), root: "/project" });
 * for (const { name, run } of hostSearchContract("in JavaScript", open)) test(name, run);
 */
export function hostSearchContract(
  name: string,
  open: () => Promise<Pick<Host, "fs" | "search"> & ContractHost>,
): readonly ContractCheck[] {
  return checksOf(name, open, laws);
}

const laws: readonly Law<World>[] = [
  {
    name: "a match has its line, its number and its place",
    async check(world) {
      await plant(world, { "src/a.ts": "one\ntwo needle\nthree" });
      const [match, end, ...more] = await grep(world, { pattern: "need[l]e" });
      const path = `${world.root}/src/a.ts`;
      const ranges = [{ start: 4, end: 10 }];
      same(match, { kind: "match", path, line: 2, text: "two needle", ranges }, "match");
      same([end?.kind, more.length], ["end", 0], "events after it");
    },
  },
  {
    name: "a plain text is not taken as an expression, and letter case counts unless it is not to",
    async check(world) {
      await plant(world, { "a.txt": "a.b\naxb\nA.B" });
      const lines = async (query: Partial<GrepQuery>): Promise<readonly string[]> =>
        textsOf(await grep(world, { pattern: "a.b", ...query }));
      same(await lines({}), ["a.b", "axb"], "an expression");
      same(await lines({ literal: true }), ["a.b"], "a plain text");
      same(await lines({ literal: true, ignoreCase: true }), ["a.b", "A.B"], "without case");
    },
  },
  {
    name: "lines around a match come in order, once",
    async check(world) {
      await plant(world, { "a.txt": "1\n2\nneedle\nneedle\n5\n6" });
      const found = await grep(world, { before: 1, after: 1 });
      same(textsOf(found), ["2", "needle", "needle", "5"], "lines");
    },
  },
  {
    name: "files are counted, and those that a glob leaves out are not searched",
    async check(world) {
      await plant(world, { "a.ts": "needle needle\nneedle", "b.md": "needle", "c.ts": "none" });
      const found = await grep(world, { countOnly: true, globs: ["*.ts"] });
      const counts = found.flatMap((event) =>
        event.kind === "count" ? [event.path.slice(world.root.length + 1)] : [],
      );
      same(counts, ["a.ts"], "files");
    },
  },
  {
    name: "what git ignores is found only on request, and .git is not searched",
    async check(world) {
      await plant(world, {
        ".git/config": "needle",
        ".gitignore": "*.log\n!kept.log\n/out/\n",
        "all.log": "needle",
        "kept.log": "needle",
        "out/x.ts": "needle",
        "src/a.ts": "needle",
      });
      same(await glob(world, { pattern: "**/*.{log,ts}" }), ["kept.log", "src/a.ts"], "visible");
      same(filesOf(world, await grep(world, {})), ["kept.log", "src/a.ts"], "searched");
      const everything = await glob(world, { pattern: "**/*.{log,ts}", includeIgnored: true });
      same(everything, ["all.log", "kept.log", "out/x.ts", "src/a.ts"], "all");
    },
  },
  {
    name: "a pattern without a slash matches at any depth",
    async check(world) {
      await plant(world, { "a.ts": "", "src/deep/b.ts": "", "src/c.md": "" });
      same(await glob(world, { pattern: "*.ts" }), ["a.ts", "src/deep/b.ts"], "at any depth");
      same(await glob(world, { pattern: "src/*.md" }), ["src/c.md"], "in one directory");
    },
  },
  {
    name: "excluded files are neither read nor named, and are counted",
    async check(world) {
      await plant(world, { "a.txt": "needle", "secret.txt": "needle" });
      const found = await grep(world, { isExcluded });
      same(filesOf(world, found), ["a.txt"], "searched");
      const end = found.at(-1);
      requireTrue(end?.kind === "end" && end.excluded === 1, "the excluded file is not counted");
      same(await glob(world, { pattern: "*", isExcluded }), ["a.txt"], "named");
    },
  },
];

function isExcluded(path: string): boolean {
  return path.endsWith("secret.txt");
}

async function plant({ fs, root }: World, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const slash = path.lastIndexOf("/");
    if (slash > 0) await fs.mkdir(`${root}/${path.slice(0, slash)}`);
    await fs.writeAtomic(`${root}/${path}`, encoded(content));
  }
}

async function grep(
  { search, root }: World,
  query: Partial<GrepQuery>,
): Promise<readonly GrepEvent[]> {
  return await all(search.grep({ root, pattern: "needle", ...query }));
}

async function glob(
  { search, root }: World,
  query: Pick<GlobQuery, "pattern" | "includeIgnored" | "isExcluded">,
): Promise<readonly string[]> {
  const events = await all(search.glob({ root, ...query }));
  const files = events.flatMap((event) => (event.kind === "files" ? event.files : []));
  return files.map(({ path }) => path.slice(root.length + 1)).toSorted();
}

function textsOf(events: readonly GrepEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.kind === "match" || event.kind === "context" ? [event.text] : [],
  );
}

function filesOf({ root }: World, events: readonly GrepEvent[]): readonly string[] {
  const paths = events.flatMap((event) =>
    event.kind === "match" ? [event.path.slice(root.length + 1)] : [],
  );
  return paths.toSorted();
}
