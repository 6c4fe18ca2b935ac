import { isWithin, type Exclusion, type RuleRef } from "../core/index.ts";
import { compilePathPattern, coversPath, type PathPattern } from "./path-pattern.ts";

/**
 * Files that run code or change what this system may do, at any depth. No allow rule and no mode but
 * bypassPermissions writes them unasked.
 */
export const protectedPaths: readonly string[] = [
  // Version control
  ".git",
  ".gitconfig",
  ".gitmodules",
  "**/.config/git",
  ".hg",
  ".husky",
  ".pre-commit-config.yaml",
  "lefthook*",
  ".lefthook*",
  // Editors and containers that run what they open
  ".vscode",
  ".idea",
  ".devcontainer",
  ".envrc",
  // Agents, this one included
  ".haft",
  ".claude",
  ".claude.json",
  ".mcp.json",
  // Continuous integration
  "**/.github/workflows",
  "**/.github/actions",
  ".circleci",
  ".buildkite",
  ".gitlab-ci.yml",
  ".travis.yml",
  ".drone.yml",
  ".woodpecker*",
  "azure-pipelines.yml",
  "bitbucket-pipelines.yml",
  "Jenkinsfile",
  // Package managers and build tools
  ".cargo",
  ".yarn",
  ".yarnrc*",
  ".npmrc",
  ".pnp*",
  ".mvn",
  "gradle-wrapper.properties",
  "bunfig.toml",
  ".bazelrc*",
  ".ripgreprc",
  "pyrightconfig.json",
  // Shells and logins
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".bash_aliases",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ".zlogout",
  ".kshrc",
  ".cshrc",
  ".tcshrc",
  ".login",
  ".inputrc",
  "**/.config/fish",
  ".ssh",
];

interface ProtectedPath {
  readonly ref: RuleRef;
  readonly pattern: PathPattern;
}

/** The protected entry a path is or lies in, looking only below the workspace folder that holds it. */
export function protectedBy(path: string, roots: readonly string[]): RuleRef | undefined {
  const root = innermost(path, roots);
  const below = root === undefined || root === "/" ? path : path.slice(root.length);
  // Nothing protected is without one of these, and most paths are without all of them.
  if (!mayBeProtected.test(below)) return undefined;
  const question = { path: below === "" ? "/" : below, isTree: true, lenient: true };
  return compiled.find(({ pattern }) => coversPath(pattern, question))?.ref;
}

/** The protected parts of a granted tree. */
export function protectedWithin(root: string): readonly Exclusion[] {
  return compiled.map(({ ref, pattern }) => ({ root, pattern: pattern.text, rule: ref.rule }));
}

const mayBeProtected = /\/(?:\.|lefthook|azure-|bitbucket-|jenkins|gradle-|bunfig|pyright)/iu;

const compiled: readonly ProtectedPath[] = protectedPaths.map((text) => {
  const pattern = compilePathPattern(
    text,
    // Any letter case: on some file systems `.GIT` is `.git`.
    { base: "/", cwd: "/", home: "/", roots: [], ignoreCase: true },
    false,
  );
  if (typeof pattern === "string") throw new TypeError(`Protected path ${text}: ${pattern}`);
  return { ref: { rule: `Edit(${text})`, list: "ask", scope: "built-in" }, pattern };
});

function innermost(path: string, roots: readonly string[]): string | undefined {
  let found: string | undefined;
  for (const root of roots) {
    if (isWithin(root, path) && (found === undefined || root.length > found.length)) found = root;
  }
  return found;
}
