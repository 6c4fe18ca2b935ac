/**
 * Protected paths: files that a program or the user's next step runs, or that decide what may run, without the user
 * asking for them by name.
 *
 * A path belongs here when a common tool runs or obeys it as soon as it opens or enters the directory, starts, or pushes
 * it. What the user starts by name (package.json, a Makefile, a test) does not, and neither does source code.
 *
 * A pattern is a name at any depth; a slash joins the last components; `*` stands for any text in a name. Letter case
 * and forms that file systems take for the same name do not matter. Secrets are in `secret-paths.ts`, which is loaded
 * when it is needed, with the reason for each family.
 */
export const protectedFamilies = {
  "version control":
    ".git *.git/hooks *.git/config .gitconfig .gitmodules .config/git .githooks .hg .hgrc .jj .jjconfig.toml .config/jj .husky .pre-commit-config.y* .pre-commit-hooks.yaml lefthook* .lefthook* .overcommit.yml .simple-git-hooks.*",
  "editors and containers":
    ".vscode *.code-workspace .idea .zed .fleet .vs .devcontainer .devcontainer.json .gitpod.yml .replit .idx .codesandbox .exrc .nvimrc .nvim.lua .vimrc .vim .config/nvim .config/zed .config/helix .helix .dir-locals*.el .emacs .emacs.d .ycm_extra_conf.py .luarc.json rust-analyzer.toml .rust-analyzer.toml pyrightconfig.json",
  environments:
    ".envrc* .direnvrc .config/direnv mise*.toml .mise*.toml .mise .config/mise .rtx.toml .autoenv* .shadowenv.d rust-toolchain*",
  agents:
    ".haft .config/haft .claude .claude.json .agents skills-lock.json .mcp.json .cursor .codex .gemini opencode.json* .opencode .config/opencode .kiro .windsurf .codeium .continue .cline .roo .kilocode .aider.conf.yml .amazonq .goose .config/goose .augment .junie .crush .crush.json crush.json .factory .qwen .trae .qoder .amp .copilot .openhands .github/hooks",
  "continuous integration":
    ".github/workflows .github/actions .gitea .forgejo .circleci .buildkite .gitlab/ci .gitlab-ci*.yml .travis.yml .drone.yml .drone.star .woodpecker* azure-pipelines* .azure-pipelines bitbucket-pipelines.yml Jenkinsfile* appveyor.yml .appveyor.yml .cirrus.* .semaphore .teamcity .tekton .builds .build.yml cloudbuild.y* buildspec.y* codemagic.yaml",
  "package managers and build tools":
    ".cargo .yarn .yarnrc* .npmrc .pnp.* .pnpmfile.* .mvn gradle-wrapper.* bunfig.toml .bazelrc* .bazeliskrc .bundle .gemrc .condarc pip.conf .config/pip .pydistutils.cfg nuget.config .ripgreprc",
  "debuggers and interpreters":
    ".gdbinit .lldbinit .pdbrc* .perldb .Rprofile .Renviron .ghci .ocamlinit .iex.exs .irbrc .pryrc .rdbgrc* .byebugrc .psqlrc .sqliterc sitecustomize.py usercustomize.py",
  "shells and logins":
    ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .logout .inputrc .config/fish .config/nushell .config/powershell .config/autostart .config/systemd .config/environment.d .config/plasma-workspace .pam_environment .xinitrc .xprofile .xsession .screenrc .tmux.conf .config/tmux .curlrc .wgetrc Library/LaunchAgents .ssh .gnupg",
} as const;

export type ProtectedFamily = keyof typeof protectedFamilies;

/** The patterns of all families. */
export const protectedPaths: readonly string[] = Object.values(protectedFamilies).flatMap((names) =>
  names.split(" "),
);

/**
 * Parts of protected directories that everyday commands write and that run nothing by themselves, by the pattern of the
 * directory: programs may write them, as they may write node_modules.
 */
export const everydayParts: Readonly<Record<string, readonly string[]>> = {
  ".yarn": ["cache", "unplugged", "install-state.gz", "build-state.yml"],
  ".cargo": ["registry", "git", ".package-cache", ".package-cache-mutate", ".global-cache"],
};

/** Directories of which only these parts run something: the rest is what every command of their program writes. */
export const runningParts: Readonly<Record<string, readonly string[]>> = {
  ".git": [
    "hooks",
    "config",
    "config.worktree",
    "commondir",
    "gitdir",
    "info/attributes",
    "rebase-merge",
    "rebase-apply",
  ],
  ".hg": ["hgrc"],
  ".jj": ["repo/config.toml", "repo/workspace-config.toml", "workspace-config.toml"],
};

/** Entries that make a directory the root of a repository. */
export const repositoryMarkers = [".git", ".jj", ".hg", ".svn"] as const;
