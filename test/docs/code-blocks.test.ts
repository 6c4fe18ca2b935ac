import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { haftFile, notBuilt } from "../support/built.ts";
import { codeBlocks, pages, root } from "./markdown.ts";

const blocks = pages.flatMap(codeBlocks);

/** The public entries by the name they are imported under, as the sources they are built from. */
function entries(): Record<string, readonly string[]> {
  const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
    exports: Record<string, { types: string } | string>;
  };
  return Object.fromEntries(
    Object.entries(manifest.exports).flatMap(([name, target]) => {
      if (typeof target === "string") return [];
      const source = target.types.replace("./dist/", "src/").replace(/\.d\.ts$/u, ".ts");
      return [[path.posix.join("haft", name), [path.join(root, source)]]];
    }),
  );
}

test("every TypeScript block of README and docs type-checks against the entries it imports", () => {
  const examples = blocks.filter(({ language }) => language === "ts");
  // Inside the repository, so that packages are found where they are installed; it stays, so that the next run checks
  // only what has changed.
  const folder = path.join(root, ".cache/docs");
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    if (name.startsWith("example-")) rmSync(path.join(folder, name));
  }
  const names = new Map<string, string>();
  for (const [index, { page, line, code }] of examples.entries()) {
    const name = `example-${index + 1}.ts`;
    names.set(name, `${page}:${line}`);
    writeFileSync(path.join(folder, name), `${code}\nexport {};\n`);
  }
  writeFileSync(
    path.join(folder, "tsconfig.json"),
    JSON.stringify({
      extends: path.join(root, "tsconfig.json"),
      compilerOptions: { paths: entries(), incremental: true, tsBuildInfoFile: "checked.json" },
      include: ["*.ts"],
    }),
  );

  const tsc = path.join(root, "node_modules/typescript/bin/tsc");
  const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", folder], {
    cwd: folder,
    encoding: "utf8",
  });

  const problems = stdout.replaceAll(/example-\d+\.ts/gu, (name) => names.get(name) ?? name);
  expect({ status, problems }).toEqual({ status: 0, problems: "" });
  expect(examples.length).toBeGreaterThan(8);
}, 60_000);

const runnable = blocks.filter(({ marks }) => marks.includes("runnable"));

test("README has commands that can be tried", () => {
  expect(runnable.map(({ page }) => page)).toContain("README.md");
});

test.skipIf(notBuilt !== undefined).each(runnable)(
  "the commands of $page:$line run",
  ({ code }) => {
    const folder = mkdtempSync(path.join(tmpdir(), "haft-docs-"));
    const project = path.join(folder, "project");
    mkdirSync(project);
    for (const name of ["README.md", "package.json"]) {
      cpSync(path.join(root, name), path.join(project, name));
    }
    // The program that a reader's npx would find.
    const prelude = `set -e\nnpx() { shift; '${process.execPath}' '${haftFile}' "$@"; }\n`;

    const { status, stderr } = spawnSync("bash", ["-c", prelude + code], {
      cwd: project,
      env: { PATH: process.env["PATH"] ?? "", HOME: folder },
      encoding: "utf8",
    });
    rmSync(folder, { recursive: true });

    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  },
);

test("every JSON block is JSON", () => {
  const broken = blocks.filter(({ language, code }) => language === "json" && !isJson(code));

  expect(broken.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
