import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createToolkit, type Kit, type Outcome, type ToolkitOptions } from "../../src/index.ts";
import { rootWord, type CallStep, type OutsideStep } from "./sequence-steps.ts";

/** Everything below a folder and the folder itself, by path: kind, mode, content, and of files the time. */
export type Tree = ReadonlyMap<string, string>;

const then = 1_700_000_000.25;

/** Workspaces with one of everything, copied from a first one, and the kits that work in them. */
export class SequencePlace {
  readonly folder = realpathSync(mkdtempSync(path.join(tmpdir(), "haft-sequences-")));
  #made = 0;

  constructor() {
    plant(path.join(this.folder, "first"));
  }

  async world(options: ToolkitOptions = {}): Promise<SequenceWorld> {
    this.#made += 1;
    const own = path.join(this.folder, `${this.#made}`);
    const data = path.join(own, "data");
    mkdirSync(data, { recursive: true, mode: 0o700 });
    execFileSync("cp", ["-a", path.join(this.folder, "first"), path.join(own, "work")]);
    // That overlays work here need not be found out again.
    const probed = path.join(this.folder, "overlay.json");
    if (existsSync(probed)) copyFileSync(probed, path.join(data, "overlay.json"));
    const open = async (): Promise<Kit> =>
      await createToolkit({
        workspace: path.join(own, "work"),
        dataDirectory: data,
        mode: "bypassPermissions",
        ...options,
      });
    return new SequenceWorld(path.join(own, "work"), { open, kit: await open() }, async () => {
      if (existsSync(path.join(data, "overlay.json"))) {
        copyFileSync(path.join(data, "overlay.json"), probed);
      }
      execFileSync("chmod", ["-R", "u+rwX", own]);
      rmSync(own, { recursive: true, force: true });
    });
  }

  end(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function plant(root: string): void {
  mkdirSync(path.join(root, "src/deep"), { recursive: true });
  const put = (name: string, content: string | Buffer, mode = 0o644): void => {
    writeFileSync(path.join(root, name), content);
    chmodSync(path.join(root, name), mode);
  };
  for (const name of ["a.txt", "b c.txt", "-dash", "ünï.txt", "line\nbreak", "src/x.js"]) {
    put(name, "first\nsecond one\nthird\n");
  }
  put("quote'\"$x", "quoted\n", 0o600);
  put("run.sh", "#!/bin/sh\necho here\n", 0o755);
  put("src/deep/y", Buffer.from([0, 1, 2, 255]));
  put("one", "linked\n");
  linkSync(path.join(root, "one"), path.join(root, "two"));
  mkdirSync(path.join(root, "empty"), { mode: 0o700 });
  mkdirSync(path.join(root, "shared"));
  put("shared/s", "shared\n", 0o660);
  chmodSync(path.join(root, "shared"), 0o2775);
  symlinkSync("a.txt", path.join(root, "link"));
  symlinkSync("src", path.join(root, "tolink"));
  symlinkSync("nowhere", path.join(root, "dangling"));
  put("fix.patch", "--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n-first\n+patched\n second one\n");
  put("book.ipynb", JSON.stringify(notebook));
  const run = (...argv: readonly string[]): void => {
    const [program = "", ...rest] = argv;
    execFileSync(program, rest, { cwd: root, stdio: "ignore" });
  };
  run("tar", "cf", "pack.tar", "a.txt", "link", "src", "empty");
  run("git", "init", "-q");
  run("git", "add", "a.txt", "src", "link", "run.sh");
  run("git", "-c", "user.name=n", "-c", "user.email=e@x", "commit", "-q", "-m", "first");
  for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    lutimesSync(path.join(root, name), then, then);
  }
}

const notebook = {
  cells: [{ id: "c1", cell_type: "markdown", metadata: {}, source: ["text\n"] }],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
};

export class SequenceWorld {
  readonly root: string;
  readonly kit: Kit;
  readonly #remove: () => Promise<void>;
  readonly #open: () => Promise<Kit>;
  readonly #others: Kit[] = [];
  #written = 0;

  constructor(
    root: string,
    { open, kit }: { readonly open: () => Promise<Kit>; readonly kit: Kit },
    remove: () => Promise<void>,
  ) {
    this.root = root;
    this.kit = kit;
    this.#open = open;
    this.#remove = remove;
  }

  /** Another kit in the same workspace, with the same journal. */
  async another(): Promise<Kit> {
    const kit = await this.#open();
    this.#others.push(kit);
    return kit;
  }

  tree(): Tree {
    const found = new Map<string, string>();
    note(this.root, "", found);
    return found;
  }

  async call(step: CallStep, kit: Kit = this.kit): Promise<Outcome> {
    if ("command" in step) {
      const command = step.command.replaceAll(rootWord, this.root);
      return await kit.call({ name: "Bash", input: { command } });
    }
    const { tool, input } = step;
    for (const key of ["file_path", "notebook_path"]) {
      const at = input[key];
      if (at !== undefined) await kit.call({ name: "Read", input: { file_path: at } });
    }
    return await kit.call({ name: tool, input });
  }

  /** A command on an overlay; `meanwhile` comes when it has done its work, and before it ends. */
  async callWith(
    step: Extract<CallStep, { readonly command: string }>,
    meanwhile: () => void,
  ): Promise<Outcome> {
    this.#written += 1;
    const go = `${this.root}-go-${this.#written}`;
    const work = step.command.replaceAll(rootWord, this.root);
    const wait = `perl -e 'print "ready\n"; $| = 1; print "now\n"; select undef, undef, undef, 0.005 until -e "${go}"'`;
    let isOver = false;
    return await this.kit.call(
      { name: "Bash", input: { command: `{ ${work}\n}\n${wait}` } },
      {
        onOutput: (text) => {
          if (isOver || !text.includes("ready")) return;
          isOver = true;
          meanwhile();
          writeFileSync(go, "");
        },
      },
    );
  }

  /** Changes by others; where one cannot be made, it is skipped. */
  outside({ kind, at }: OutsideStep): void {
    this.#written += 1;
    const file = path.join(this.root, at);
    const text = `outside ${this.#written}\n`;
    try {
      act(kind, { file, text });
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  }

  async end(): Promise<void> {
    for (const kit of [this.kit, ...this.#others]) await kit.dispose();
    await this.#remove();
  }
}

function act(
  kind: OutsideStep["kind"],
  { file, text }: { readonly file: string; readonly text: string },
): void {
  switch (kind) {
    case "save":
      writeFileSync(`${file}~`, text);
      renameSync(`${file}~`, file);
      return;
    case "append":
      appendFileSync(file, text);
      return;
    case "delete":
      rmSync(file, { recursive: true });
      return;
    case "link":
      rmSync(file);
      symlinkSync(text.trim(), file);
      return;
    case "mode":
      chmodSync(file, (lstatSync(file).mode & 0o7777) ^ 0o010);
      return;
    case "replace":
      rmSync(file, { recursive: true });
      writeFileSync(file, text, { mode: 0o640 });
      return;
    case "folder":
      rmSync(file, { recursive: true, force: true });
      mkdirSync(file, { recursive: true });
      writeFileSync(path.join(file, "theirs"), text);
      return;
    case "touch":
      lutimesSync(file, 5, 5);
      return;
    case "sibling":
      writeFileSync(path.join(path.dirname(file), "theirs"), text);
      return;
  }
}

function note(root: string, at: string, found: Map<string, string>): void {
  const file = path.join(root, at);
  const { mode, mtimeNs } = lstatSync(file, { bigint: true });
  const bits = (Number(mode) & 0o7777).toString(8);
  const stat = lstatSync(file);
  if (stat.isSymbolicLink()) found.set(at, `-> ${readlinkSync(file)}`);
  else if (stat.isDirectory()) {
    found.set(at, `${bits}/`);
    for (const name of readdirSync(file).toSorted()) note(root, path.join(at, name), found);
  } else if (stat.isFile()) {
    const content = readFileSync(file);
    const said =
      content.length < 60
        ? JSON.stringify(content.toString("latin1"))
        : `${content.length} ${createHash("sha1").update(content).digest("hex").slice(0, 12)}`;
    found.set(at, `${bits} ${said} @${mtimeNs / 1000n}`);
  } else found.set(at, `${bits} special`);
}

/** Differences between two trees, a line for each path. */
export function differences(one: Tree, other: Tree): readonly string[] {
  return [...new Set([...one.keys(), ...other.keys()])]
    .filter((at) => one.get(at) !== other.get(at))
    .toSorted()
    .map((at) => `${at}: ${one.get(at) ?? "nothing"} | ${other.get(at) ?? "nothing"}`);
}
