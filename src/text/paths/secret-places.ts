import { isWithin, joinPath } from "./path.ts";
import { foldName } from "./match-protected.ts";
import { secretVariables } from "../../core/index.ts";
import { secretFamilyNames, secretRows } from "../../core/index.ts";

/** Directories and files of secrets as a tree of names. */
export interface SecretNode {
  /** By folded name, with the name as it is written. */
  readonly names: Map<string, { readonly text: string; readonly node: SecretNode }>;
  /** By names with a `*`. */
  readonly wild: { readonly text: string; readonly name: RegExp; readonly node: SecretNode }[];
  /** All that is here and below is secret. */
  isSecret: boolean;
}

export interface SecretOptions {
  /** Home directories; canonical, as all paths here are. */
  readonly homes: readonly string[];
  /** The environment, which may put secrets elsewhere. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Never secret as a whole, whatever a variable says: the workspace. */
  readonly workspace: string;
  /** Of the settings: more of them, and those that are none; absolute, or `~/` and below the first home. */
  readonly add?: readonly string[] | undefined;
  readonly open?: readonly string[] | undefined;
}

export interface SecretPlaces {
  readonly root: SecretNode;
  /** Absolute; what is at or below them is not secret. */
  readonly open: readonly string[];
  /** The secret that a path is or is in. */
  at(path: string): string | undefined;
  /** The secrets below a tree, as patterns that start there. */
  below(tree: string): readonly string[];
}

/** Below a home directory: what XDG variables move. */
const movable = {
  XDG_CONFIG_HOME: ".config/",
  XDG_DATA_HOME: ".local/share/",
  XDG_STATE_HOME: ".local/state/",
  XDG_CACHE_HOME: ".cache/",
} as const;

/** Where the secrets of a user are, whether or not they exist. */
export function secretPlaces(options: SecretOptions): SecretPlaces {
  const { homes, variables, workspace, add = [], open = [] } = options;
  const [home = "/"] = homes;
  const root = emptyNode();
  for (const row of secretFamilyNames.flatMap(secretRows)) {
    if (row.startsWith("/")) {
      // A service that builds in its own directory works in it, and its user lives there.
      if (![workspace, ...homes].some((path) => isWithin(row, path))) insert(root, row);
      continue;
    }
    for (const each of homes) insert(root, joinPath(each, row));
    for (const [name, start] of Object.entries(movable)) {
      const moved = variables[name];
      if (moved?.startsWith("/") !== true || !row.startsWith(start)) continue;
      insert(root, joinPath(moved, row.slice(start.length)));
    }
  }
  // What a variable says was not chosen to be a secret: one that names half the machine hides nothing.
  const tooMuch = ["/", workspace, ...homes].flatMap((path) => [path, ...parentsOf(path)]);
  for (const [name, parts] of Object.entries(secretVariables)) {
    for (const named of variables[name]?.split(":") ?? []) {
      if (!named.startsWith("/")) continue;
      for (const part of parts) {
        const path = joinPath(named, part);
        if (!tooMuch.includes(path)) insert(root, path);
      }
    }
  }
  for (const path of add) insert(root, secretPath(path, home));
  const opened = open.map((path) => secretPath(path, home));
  return {
    root,
    open: opened,
    at: (path) => {
      const found = descend(root, path, 1);
      return found === undefined || opened.some((each) => isWithin(each, path)) ? undefined : found;
    },
    below: (tree) => {
      const nodes = nodesAt(root, tree);
      if (nodes.length === 0) return nothingBelow;
      const found = nodes.flatMap((node) => patternsOf(node, ""));
      return found.filter((pattern) => !opened.includes(joinPath(tree, `./${pattern}`)));
    },
  };
}

/** A path of the settings; `~/` stands for the home directory. */
export function secretPath(path: string, home: string): string {
  return joinPath(home, path.startsWith("~/") ? path.slice(2) : path);
}

const nothingBelow: readonly string[] = Object.freeze([]);
const noNodes: readonly SecretNode[] = Object.freeze([]);

/** The children of a node that a name leads to. */
export function childrenOf(node: SecretNode, name: string): readonly SecretNode[] {
  const folded = foldName(name);
  const exact = node.names.get(folded)?.node;
  // Most names have none: every path that is read comes by here.
  if (node.wild.length === 0) return exact === undefined ? noNodes : [exact];
  const wild = node.wild.flatMap((each) => (each.name.test(folded) ? [each.node] : []));
  return exact === undefined ? wild : [exact, ...wild];
}

function nodesAt(root: SecretNode, tree: string): readonly SecretNode[] {
  let nodes: readonly SecretNode[] = [root];
  for (const name of tree.split("/")) {
    if (name === "") continue;
    const [only] = nodes;
    if (only === undefined) return noNodes;
    nodes =
      nodes.length === 1 ? childrenOf(only, name) : nodes.flatMap((node) => childrenOf(node, name));
  }
  return nodes.some(({ isSecret }) => isSecret) ? [] : nodes;
}

function patternsOf(node: SecretNode, above: string): readonly string[] {
  if (node.isSecret && above !== "") return [above];
  return [
    ...[...node.names.values()].flatMap(({ text, node: child }) =>
      patternsOf(child, `${above}/${text}`),
    ),
    ...node.wild.flatMap(({ text, node: child }) => patternsOf(child, `${above}/${text}`)),
  ];
}

function descend(node: SecretNode, path: string, start: number): string | undefined {
  if (node.isSecret) return path.slice(0, Math.max(1, start - 1));
  if (start > path.length) return undefined;
  const slash = path.indexOf("/", start);
  const end = slash === -1 ? path.length : slash;
  for (const child of childrenOf(node, path.slice(start, end))) {
    const found = descend(child, path, end + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function insert(root: SecretNode, path: string): void {
  let node = root;
  for (const part of path.split("/")) {
    if (part === "") continue;
    node = part.includes("*") ? wildChild(node, part) : exactChild(node, part);
  }
  if (node !== root) node.isSecret = true;
}

function exactChild(node: SecretNode, text: string): SecretNode {
  const name = foldName(text);
  const known = node.names.get(name);
  if (known !== undefined) return known.node;
  const made = emptyNode();
  node.names.set(name, { text, node: made });
  return made;
}

function wildChild(node: SecretNode, text: string): SecretNode {
  const known = node.wild.find((each) => each.text === text);
  if (known !== undefined) return known.node;
  const made = emptyNode();
  const parts = foldName(text)
    .split("*")
    .map((part) => part.replaceAll(/[.+^${}()|[\]\\?]/gu, String.raw`\$&`));
  node.wild.push({ text, name: new RegExp(`^${parts.join(".*")}$`, "u"), node: made });
  return made;
}

function emptyNode(): SecretNode {
  return { names: new Map(), wild: [], isSecret: false };
}

function parentsOf(path: string): readonly string[] {
  const names = path.split("/").filter((name) => name !== "");
  return names.map((_, index) => `/${names.slice(0, index).join("/")}`);
}
