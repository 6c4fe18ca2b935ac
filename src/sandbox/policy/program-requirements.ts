/** Access beyond the workspace that a program needs for its purpose. */
export interface ProgramNeeds {
  /** Credential files of the programs, relative to the home directory. */
  readonly secrets: readonly string[];
  /** Whether they change the git settings of the repository. */
  readonly changesGitSettings: boolean;
  /** Protected paths, relative to the workspace, that they write as part of their work. */
  readonly changes: readonly string[];
  /** Why they work in no sandbox; undefined if they do. */
  readonly outside: string | undefined;
}

/** Arguments of a command; undefined for each that is not known. */
export type KnownCommand = readonly (string | undefined)[];

interface Needs {
  /** Subcommands that need it; all if absent. */
  readonly verbs?: readonly string[];
  readonly secrets?: readonly string[];
  readonly changesGitSettings?: true;
  readonly changes?: readonly string[];
}

const gitSecrets = [".ssh", ".netrc", ".git-credentials", ".config/git/credentials", ".config/gh"];
const ssh: Needs = { secrets: [".ssh"] };
const npm: Needs = {
  verbs: [
    "install",
    "i",
    "ci",
    "add",
    "update",
    "up",
    "upgrade",
    "publish",
    "view",
    "info",
    "audit",
  ],
  secrets: [".npmrc"],
};

const pipSecrets = [".pip", ".config/pip", ".pypirc", ".netrc"];
const pip: Needs = { secrets: pipSecrets };
const conda: Needs = { secrets: [".condarc", ".conda/.condarc", ".continuum"] };
const gradle: Needs = {
  secrets: [".gradle/gradle.properties", ".gradle/init.d", ".gradle/init.gradle"],
};

/** Requirements by program: each gets its own and nothing else. */
const needs: ReadonlyMap<string, readonly Needs[]> = new Map(
  Object.entries({
    git: [
      {
        verbs: ["push", "pull", "fetch", "clone", "ls-remote", "submodule", "lfs", "remote"],
        secrets: gitSecrets,
      },
      { verbs: ["commit", "tag", "merge", "rebase", "cherry-pick", "am"], secrets: [".gnupg"] },
      {
        verbs: [
          "config",
          "remote",
          "push",
          "pull",
          "branch",
          "checkout",
          "switch",
          "submodule",
          "init",
          "lfs",
          "maintenance",
          // The settings of a repository name the directories of its submodules.
          "mv",
          "sparse-checkout",
          "worktree",
        ],
        changesGitSettings: true,
      },
      {
        verbs: [
          "am",
          "apply",
          "bisect",
          "checkout",
          "cherry-pick",
          "merge",
          "mv",
          "pull",
          "rebase",
          "reset",
          "restore",
          "revert",
          "rm",
          "sparse-checkout",
          "stash",
          "submodule",
          "switch",
        ],
        changes: [".gitmodules", ".git/rebase-merge", ".git/rebase-apply"],
      },
    ],
    ssh: [ssh],
    scp: [ssh],
    sftp: [ssh],
    rsync: [ssh],
    npm: [npm],
    pnpm: [npm],
    yarn: [
      {
        secrets: [".npmrc", ".yarnrc", ".yarnrc.yml"],
        verbs: ["", ...(npm.verbs ?? [])],
        changes: [".pnp.cjs", ".pnp.js", ".pnp.loader.mjs", ".pnp.data.json"],
      },
    ],
    bun: [{ verbs: npm.verbs ?? [], secrets: [".npmrc", ".bunfig.toml"] }],
    deno: [{ secrets: [".npmrc"] }],
    vsce: [{ secrets: [".vsce"] }],
    gh: [{ secrets: [".config/gh"] }],
    hub: [{ secrets: [".config/hub"] }],
    aws: [{ secrets: [".aws"] }],
    az: [{ secrets: [".azure"] }],
    gcloud: [{ secrets: [".config/gcloud"] }],
    gsutil: [{ secrets: [".config/gcloud"] }],
    kubectl: [{ secrets: [".kube"] }],
    helm: [{ secrets: [".kube"] }],
    terraform: [{ secrets: [".terraform.d/credentials.tfrc.json", ".aws"] }],
    vault: [{ secrets: [".vault-token"] }],
    gpg: [{ secrets: [".gnupg"] }],
    psql: [{ secrets: [".pgpass"] }],
    pg_dump: [{ secrets: [".pgpass"] }],
    mysql: [{ secrets: [".my.cnf"] }],
    twine: [{ secrets: [".pypirc"] }],
    cargo: [
      {
        verbs: ["publish", "login", "owner", "yank"],
        secrets: [".cargo/credentials", ".cargo/credentials.toml"],
      },
    ],
    gem: [{ verbs: ["push", "yank", "owner"], secrets: [".gem/credentials"] }],
    rclone: [{ secrets: [".config/rclone", ".rclone.conf"] }],
    glab: [{ secrets: [".config/glab", ".config/glab-cli"] }],
    tea: [{ secrets: [".config/tea"] }],
    pip: [pip],
    pip3: [pip],
    uv: [{ secrets: [...pipSecrets, ".config/uv", ".local/share/uv/credentials", ".netrc"] }],
    poetry: [{ secrets: [...pipSecrets, ".config/pypoetry", ".local/share/pypoetry/auth.toml"] }],
    pdm: [{ secrets: [...pipSecrets, ".config/pdm", ".local/share/pdm"] }],
    hatch: [{ secrets: [".pypirc", ".config/hatch", ".local/share/hatch"] }],
    conda: [conda],
    mamba: [conda],
    bundle: [{ secrets: [".bundle/config", ".gem/credentials"] }],
    mvn: [{ secrets: [".m2/settings.xml", ".m2/settings-security.xml"] }],
    gradle: [gradle],
    gradlew: [gradle],
    mvnw: [{ secrets: [".m2/settings.xml", ".m2/settings-security.xml"] }],
    sbt: [{ secrets: [".sbt/credentials", ".sbt/.credentials", ".ivy2/.credentials"] }],
    lein: [{ secrets: [".lein/profiles.clj"] }],
    composer: [{ secrets: [".composer/auth.json", ".config/composer"] }],
    dotnet: [{ secrets: [".nuget/NuGet", ".nuget/NuGet.Config", ".microsoft/usersecrets"] }],
    nuget: [{ secrets: [".nuget/NuGet", ".nuget/NuGet.Config"] }],
    mix: [{ secrets: [".hex/hex.config"] }],
    cabal: [{ secrets: [".cabal/config", ".config/cabal"] }],
    stack: [{ secrets: [".stack/config.yaml"] }],
    dart: [{ verbs: ["pub"], secrets: [".pub-cache/credentials.json", ".config/dart"] }],
    conan: [{ secrets: [".conan/.conan.db", ".conan2/.conan.db"] }],
    curl: [{ secrets: [".curlrc", ".config/curlrc"] }],
    wget: [{ secrets: [".wgetrc", ".config/wgetrc"] }],
    vercel: [{ secrets: [".vercel", ".local/share/com.vercel.cli"] }],
    netlify: [{ secrets: [".netlify", ".config/netlify"] }],
    wrangler: [{ secrets: [".wrangler", ".config/.wrangler"] }],
    flyctl: [{ secrets: [".fly"] }],
    fly: [{ secrets: [".fly"] }],
    heroku: [{ secrets: [".netrc", ".config/heroku"] }],
    doctl: [{ secrets: [".config/doctl"] }],
    pulumi: [{ secrets: [".pulumi", ".aws"] }],
    tofu: [{ secrets: [".tofurc", ".terraform.d/credentials.tfrc.json", ".aws"] }],
    s3cmd: [{ secrets: [".s3cfg"] }],
    databricks: [{ secrets: [".databrickscfg"] }],
    dbt: [{ secrets: [".dbt/profiles.yml"] }],
    hf: [{ secrets: [".huggingface", ".cache/huggingface/token"] }],
    "huggingface-cli": [{ secrets: [".huggingface", ".cache/huggingface/token"] }],
    kaggle: [{ secrets: [".kaggle", ".config/kaggle"] }],
    wandb: [{ secrets: [".netrc", ".wandb"] }],
    sops: [{ secrets: [".config/sops", ".gnupg", ".aws"] }],
    age: [{ secrets: [".config/age", ".age"] }],
    pass: [{ secrets: [".password-store", ".gnupg"] }],
    op: [{ secrets: [".config/op"] }],
    mongosh: [{ secrets: [".mongodb"] }],
    "redis-cli": [{ secrets: [".redisclirc"] }],
    cqlsh: [{ secrets: [".cassandra", ".cqlshrc"] }],
    claude: [
      {
        secrets: [".claude.json", ".claude/.credentials.json", ".claude/settings.json"],
      },
    ],
    codex: [{ secrets: [".codex/auth.json", ".codex/config.toml"] }],
    gemini: [{ secrets: [".gemini"] }],
    opencode: [{ secrets: [".local/share/opencode", ".config/opencode/opencode.json"] }],
  } satisfies Record<string, readonly Needs[]>),
);

const rights = "works with rights that nothing in a sandbox has";
const service = "has its work done by a service outside of every sandbox";
const system = "changes the system itself";
const tracing = "looks into other processes, which a sandbox forbids";

/** Programs that fail in every sandbox, with the reason. */
const outside: ReadonlyMap<string, string> = new Map([
  ...named(
    ["sudo", "su", "doas", "pkexec", "runuser", "mount", "umount", "chroot", "unshare"],
    rights,
  ),
  ...named(["bwrap", "firejail", "ping", "traceroute", "tcpdump", "ip", "iptables"], rights),
  ...named(["docker", "docker-compose", "podman", "nerdctl", "buildah", "minikube"], service),
  ...named(["systemctl", "service", "crontab", "at", "launchctl", "flatpak", "snap"], service),
  ...named(
    ["apt", "apt-get", "dpkg", "dnf", "yum", "rpm", "apk", "pacman", "zypper", "brew"],
    system,
  ),
  ...named(["useradd", "usermod", "groupadd", "update-alternatives", "ldconfig"], system),
  ...named(["strace", "ltrace", "gdb", "lldb", "perf", "bpftrace"], tracing),
]);

/** Returns the requirements of all commands of a call together, including programs that run other commands. */
export function needsOf(commands: readonly KnownCommand[]): ProgramNeeds {
  const met = commands.flatMap(metBy);
  const [held] = commands.flatMap(([program = ""]) => {
    const why = outside.get(baseOf(program));
    return why === undefined ? [] : [`${baseOf(program)} ${why}`];
  });
  return {
    secrets: [...new Set(met.flatMap(({ secrets = [] }) => secrets))],
    changes: [...new Set(met.flatMap(({ changes = [] }) => changes))],
    changesGitSettings: met.some(({ changesGitSettings }) => changesGitSettings === true),
    outside: held,
  };
}

function metBy([program = "", ...words]: KnownCommand): readonly Needs[] {
  const listed = needs.get(baseOf(program)) ?? [];
  const isBare = words.length === 0;
  return listed.filter(
    ({ verbs }) =>
      verbs === undefined ||
      words.some((word) => word !== undefined && word !== "" && verbs.includes(word)) ||
      (isBare && verbs.includes("")),
  );
}

function baseOf(program: string): string {
  return program.slice(program.lastIndexOf("/") + 1);
}

function named(names: readonly string[], why: string): readonly (readonly [string, string])[] {
  return names.map((name) => [name, why]);
}
