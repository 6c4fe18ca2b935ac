import type { ShellNode } from "../parse/syntax.ts";

/** Known facts about the functions that a text defines, by name. */
type Functions = ReadonlyMap<string, { readonly moves: boolean }>;

/** Whether a part of a script changes the directory of the shell that runs it. */
export function moves(node: ShellNode, functions: Functions): boolean {
  const some = (parts: readonly (ShellNode | undefined)[]): boolean =>
    parts.some((part) => part !== undefined && moves(part, functions));
  switch (node.kind) {
    case "command": {
      const [name] = node.words;
      if (name === undefined) return false;
      return (
        typeof name !== "string" ||
        functions.get(name)?.moves === true ||
        /^(?:cd|pushd|popd|eval|source|\.|command|builtin)$/u.test(name)
      );
    }
    case "list":
    case "chain":
      return some(node.parts);
    case "pipe":
    case "subshell":
    case "words":
      return false;
    case "branch":
      return node.arms.some(some);
    case "loop":
      return some([node.condition, node.body]);
    case "function":
    case "redirected":
      return some([node.body]);
  }
}

/** Whether a part of a script calls a function, which may be redefined by the time it runs. */
export function calls(node: ShellNode, functions: Functions): boolean {
  const some = (parts: readonly (ShellNode | undefined)[]): boolean =>
    parts.some((part) => part !== undefined && calls(part, functions));
  switch (node.kind) {
    case "command":
      return typeof node.words[0] === "string" && functions.has(node.words[0]);
    case "list":
    case "chain":
    case "pipe":
      return some(node.parts);
    case "words":
      return false;
    case "branch":
      return node.arms.some(some);
    case "loop":
      return some([node.condition, node.body]);
    case "subshell":
    case "function":
    case "redirected":
      return some([node.body]);
  }
}
