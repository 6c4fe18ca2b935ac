import { isWithin, joinPath } from "./path.ts";
import { foldName } from "./match-protected.ts";
import { secretVariables } from "../../core/index.ts";
import { secretFamilyNames, secretRows } from "../../core/index.ts";

/** Secret directories and files as a tree of names. */
export interface SecretNode {
  /** Children by folded name, with the name as written. */
  readonly names: ReadonlyMap<string, { readonly text: string; readonly node: SecretNode }>;
  /** Children whose name contains a `*`. */
  readonly wild: readonly {
    readonly text: string;
    readonly name: RegExp;
    readonly node: SecretNode;
  }[];
  /** Whether this path and everything below it is secret. */
  readonly isSecret: boolean;
  /** Root of a tree whose children are also children of this node. */
  readonly shared: (() => SecretNode) | undefined;
}

/** A node while the tree is built. */
interface GrowingNode extends SecretNode {
  names: Map<string, { readonly text: string; readonly node: GrowingNode }>;
  readonly wild: { readonly text: string; readonly name: RegExp; readonly node: GrowingNode }[];
  isSecret: boolean;
  shared: (() => SecretNode) | undefined;
}

export interface SecretOptions {
  /** Home directories; canonical, like all paths here. */
  readonly homes: readonly string[];
  /** The environment, whose variables may move secrets. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The workspace, which is never secret as a whole, whatever a variable says. */
  readonly workspace: string;
  /** From the settings: additional secrets, and paths that are not secret; absolute, or `~/` for the first home. */
  readonly add?: readonly string[] | undefined;
  readonly open?: readonly string[] | undefined;
  /** Paths in secret directories that hold no secrets themselves. */
  readonly harmless?: readonly string[] | undefined;
}

export interface SecretPlaces {
  readonly root: SecretNode;
  /** Absolute paths; a path at or below one of them is not secret. */
  readonly open: readonly string[];
  /** Whether the user opened secrets; harmless paths in secret directories do not count. */
  readonly hasOpenSecrets: boolean;
  /** The secret path that is this path or contains it. */
  at(path: string): string | undefined;
  /** The secrets below a tree, as patterns relative to it. */
  below(tree: string): readonly string[];
}

/** Paths below a home directory that XDG variables can move. */
const movable = {
  XDG_CONFIG_HOME: ".config/",
  XDG_DATA_HOME: ".local/share/",
  XDG_STATE_HOME: ".local/state/",
  XDG_CACHE_HOME: ".cache/",
} as const;

/** Paths of a user's secrets, whether or not they exist. */
export function secretPlaces(options: SecretOptions): SecretPlaces {
  const { homes, variables, workspace, add = [], open = [], harmless = [] } = options;
  const [home = "/"] = homes;
  const root = emptyNode();
  const belowHome: string[] = [];
  const moves = Object.entries(movable).flatMap(([name, start]) => {
    const moved = variables[name];
    return moved?.startsWith("/") === true ? [{ start, moved }] : [];
  });
  for (const row of secretFamilyNames.flatMap(secretRows)) {
    if (row.startsWith("/")) {
      // Not a secret if it contains the workspace or a home, as for a service that builds in its own directory.
      if (![workspace, ...homes].some((path) => isWithin(row, path))) insert(root, row);
      continue;
    }
    belowHome.push(row);
    for (const { start, moved } of moves) {
      if (row.startsWith(start)) insert(root, joinPath(moved, row.slice(start.length)));
    }
  }
  // The same for every home, and built once a path below one is looked up: most of the table is in it.
  const shared = lazyTree(belowHome);
  // An account may name its home with `..`.
  for (const each of homes) nodeFor(root, joinPath("/", each)).shared = shared;
  // A variable may name a directory that is much more than a secret; one that contains the workspace or a home is
  // ignored.
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
  const opened = [...harmless, ...open].map((path) => secretPath(path, home));
  return {
    root,
    open: opened,
    hasOpenSecrets: open.length > 0,
    at: (path) => {
      const found = descend(root, path, 1);
      return found === undefined || opened.some((each) => isWithin(each, path)) ? undefined : found;
    },
    below: (tree) => {
      const nodes = nodesAt(root, tree);
      if (nodes.length === 0) return nothingBelow;
      const found = [...new Set(nodes.flatMap((node) => patternsOf(node, "")))];
      return found.filter((pattern) => !opened.includes(joinPath(tree, `./${pattern}`)));
    },
  };
}

/** A path from the settings; `~/` is the home directory. */
export function secretPath(path: string, home: string): string {
  return joinPath(home, path.startsWith("~/") ? path.slice(2) : path);
}

const nothingBelow: readonly string[] = Object.freeze([]);
const noNodes: readonly SecretNode[] = Object.freeze([]);

/** The children of a node that match a name. */
export function childrenOf(node: SecretNode, name: string): readonly SecretNode[] {
  const folded = foldName(name);
  const own = ownChildren(node, folded);
  return node.shared === undefined ? own : [...own, ...ownChildren(node.shared(), folded)];
}

/** Names of the children of a node, as written, without those that contain a `*`. */
export function namesBelow({ names, shared }: SecretNode): readonly string[] {
  const known = [...names.values(), ...(shared?.().names.values() ?? [])];
  return [...new Set(known.map(({ text }) => text))];
}

function ownChildren(node: SecretNode, folded: string): readonly SecretNode[] {
  const exact = node.names.get(folded)?.node;
  // Most nodes have no wildcards, and this runs for every path that is read.
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
  const own = [...node.names.values(), ...node.wild].flatMap(({ text, node: child }) =>
    patternsOf(child, `${above}/${text}`),
  );
  if (node.shared === undefined) return own;
  // Without what is in a directory of the node that is secret as a whole.
  const shared = patternsOf(node.shared(), above).filter(
    (pattern) => !own.some((each) => isWithin(each, pattern)),
  );
  return [...own, ...shared];
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

function lazyTree(paths: readonly string[]): () => SecretNode {
  let tree: GrowingNode | undefined;
  return () => {
    if (tree !== undefined) return tree;
    tree = emptyNode();
    for (const path of paths) insert(tree, path);
    return tree;
  };
}

function insert(root: GrowingNode, path: string): void {
  const node = nodeFor(root, path);
  if (node !== root) node.isSecret = true;
}

/** The node of a path, added where there is none. */
function nodeFor(root: GrowingNode, path: string): GrowingNode {
  let node = root;
  for (const part of path.split("/")) {
    if (part === "") continue;
    node = part.includes("*") ? wildChild(node, part) : exactChild(node, part);
  }
  return node;
}

function exactChild(node: GrowingNode, text: string): GrowingNode {
  const name = foldName(text);
  const known = node.names.get(name);
  if (known !== undefined) return known.node;
  const made = emptyNode();
  // Most nodes are leaves, and all of those share one map.
  if (node.names === noChildren) node.names = new Map();
  node.names.set(name, { text, node: made });
  return made;
}

function wildChild(node: GrowingNode, text: string): GrowingNode {
  const known = node.wild.find((each) => each.text === text);
  if (known !== undefined) return known.node;
  const made = emptyNode();
  const parts = foldName(text)
    .split("*")
    .map((part) => part.replaceAll(/[.+^${}()|[\]\\?]/gu, String.raw`\$&`));
  node.wild.push({ text, name: new RegExp(`^${parts.join(".*")}$`, "u"), node: made });
  return made;
}

const noChildren: GrowingNode["names"] = new Map();

function emptyNode(): GrowingNode {
  return { names: noChildren, wild: [], isSecret: false, shared: undefined };
}

function parentsOf(path: string): readonly string[] {
  const names = path.split("/").filter((name) => name !== "");
  return names.map((_, index) => `/${names.slice(0, index).join("/")}`);
}
