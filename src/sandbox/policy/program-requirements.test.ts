import { expect, test } from "vitest";
import { needsOf, type KnownCommand } from "./program-requirements.ts";

test.for<{ commands: readonly KnownCommand[]; secrets: readonly string[]; because: string }>([
  {
    commands: [["git", "push", "origin"]],
    secrets: [".ssh", ".netrc", ".git-credentials", ".config/git/credentials", ".config/gh"],
    because: "it shows who pushes",
  },
  { commands: [["git", "status"]], secrets: [], because: "it stays on this machine" },
  { commands: [["/usr/bin/ssh", "host"]], secrets: [".ssh"], because: "a path names the same" },
  {
    commands: [["npm", "test"]],
    secrets: [],
    because: "what the project says runs, with anything",
  },
  { commands: [["npm", "install"]], secrets: [".npmrc"], because: "registries ask for it" },
  {
    commands: [["yarn"]],
    secrets: [".npmrc", ".yarnrc", ".yarnrc.yml"],
    because: "alone it installs",
  },
  { commands: [["yarn", "build"]], secrets: [], because: "it runs a script" },
  { commands: [[undefined, "push"]], secrets: [], because: "which program it is is not known" },
  { commands: [["git", undefined]], secrets: [], because: "what it does is not known" },
  {
    commands: [["ls"], ["aws", "s3", "ls"], ["gh", "pr", "list"]],
    secrets: [".aws", ".config/gh"],
    because: "each of a call's programs gets its own",
  },
])("$commands sees $secrets, because $because", ({ commands, secrets }) => {
  expect(needsOf(commands).secrets).toEqual(secrets);
});

test.for<{ words: KnownCommand; changes: boolean }>([
  { words: ["git", "config", "user.name", "a"], changes: true },
  { words: ["git", "-C", "sub", "remote", "add", "o", "u"], changes: true },
  { words: ["git", "mv", "submodule", "elsewhere"], changes: true },
  { words: ["git", "commit", "-m", "x"], changes: false },
  { words: ["sh", "script.sh"], changes: false },
])("$words changes git's settings: $changes", ({ words, changes }) => {
  expect(needsOf([words]).changesGitSettings).toBe(changes);
});

/** Programs, their subcommand where it matters, and the credential files each of them needs. */
const shownBy = `
  git fetch: .ssh .netrc .git-credentials .config/git/credentials .config/gh
  git commit: .gnupg
  git status:
  ssh, scp, sftp, rsync: .ssh
  npm ci, pnpm add: .npmrc
  npm run, pnpm, bun test:
  yarn, yarn add: .npmrc .yarnrc .yarnrc.yml
  bun add: .npmrc .bunfig.toml
  deno: .npmrc
  vsce: .vsce
  gh: .config/gh
  hub: .config/hub
  glab: .config/glab .config/glab-cli
  tea: .config/tea
  aws: .aws
  az: .azure
  gcloud, gsutil: .config/gcloud
  kubectl, helm: .kube
  terraform: .terraform.d/credentials.tfrc.json .aws
  tofu: .tofurc .terraform.d/credentials.tfrc.json .aws
  pulumi: .pulumi .aws
  vault: .vault-token
  gpg: .gnupg
  psql, pg_dump: .pgpass
  mysql: .my.cnf
  twine: .pypirc
  cargo publish: .cargo/credentials .cargo/credentials.toml
  cargo build:
  gem push: .gem/credentials
  gem list:
  rclone: .config/rclone .rclone.conf
  pip, pip3: .pip .config/pip .pypirc .netrc
  uv: .pip .config/pip .pypirc .netrc .config/uv .local/share/uv/credentials
  poetry: .pip .config/pip .pypirc .netrc .config/pypoetry .local/share/pypoetry/auth.toml
  pdm: .pip .config/pip .pypirc .netrc .config/pdm .local/share/pdm
  hatch: .pypirc .config/hatch .local/share/hatch
  conda, mamba: .condarc .conda/.condarc .continuum
  bundle: .bundle/config .gem/credentials
  mvn, mvnw: .m2/settings.xml .m2/settings-security.xml
  gradle, gradlew: .gradle/gradle.properties .gradle/init.d .gradle/init.gradle
  sbt: .sbt/credentials .sbt/.credentials .ivy2/.credentials
  lein: .lein/profiles.clj
  composer: .composer/auth.json .config/composer
  dotnet: .nuget/NuGet .nuget/NuGet.Config .microsoft/usersecrets
  nuget: .nuget/NuGet .nuget/NuGet.Config
  mix: .hex/hex.config
  cabal: .cabal/config .config/cabal
  stack: .stack/config.yaml
  dart pub: .pub-cache/credentials.json .config/dart
  dart run:
  conan: .conan/.conan.db .conan2/.conan.db
  curl: .curlrc .config/curlrc
  wget: .wgetrc .config/wgetrc
  vercel: .vercel .local/share/com.vercel.cli
  netlify: .netlify .config/netlify
  wrangler: .wrangler .config/.wrangler
  fly, flyctl: .fly
  heroku: .netrc .config/heroku
  doctl: .config/doctl
  s3cmd: .s3cfg
  databricks: .databrickscfg
  dbt: .dbt/profiles.yml
  hf, huggingface-cli: .huggingface .cache/huggingface/token
  kaggle: .kaggle .config/kaggle
  wandb: .netrc .wandb
  sops: .config/sops .gnupg .aws
  age: .config/age .age
  pass: .password-store .gnupg
  op: .config/op
  mongosh: .mongodb
  redis-cli: .redisclirc
  cqlsh: .cassandra .cqlshrc
  claude: .claude.json .claude/.credentials.json .claude/settings.json
  codex: .codex/auth.json .codex/config.toml
  gemini: .gemini
  opencode: .local/share/opencode .config/opencode/opencode.json`
  .trim()
  .split("\n")
  .flatMap((line) => {
    const [programs = "", secrets = ""] = line.split(":").map((part) => part.trim());
    return programs.split(", ").map((words) => ({ words: words.split(" "), secrets }));
  });

test.for(shownBy)("$words sees its own secrets and no others", ({ words, secrets }) => {
  expect(needsOf([words]).secrets.join(" ")).toBe(secrets);
});

test.for<{ words: KnownCommand; changes: readonly string[] }>([
  { words: ["git", "rebase"], changes: [".gitmodules", ".git/rebase-merge", ".git/rebase-apply"] },
  { words: ["git", "commit"], changes: [] },
  { words: ["yarn"], changes: [".pnp.cjs", ".pnp.js", ".pnp.loader.mjs", ".pnp.data.json"] },
  { words: ["yarn", "build"], changes: [] },
  { words: ["yarn", ""], changes: [] },
])("$words changes $changes, which are protected otherwise", ({ words, changes }) => {
  expect(needsOf([words, words]).changes).toEqual(changes);
});

test.for([
  ["sudo", "works with rights that nothing in a sandbox has"],
  ["ping", "works with rights that nothing in a sandbox has"],
  ["docker", "has its work done by a service outside of every sandbox"],
  ["systemctl", "has its work done by a service outside of every sandbox"],
  ["apt-get", "changes the system itself"],
  ["useradd", "changes the system itself"],
  ["gdb", "looks into other processes, which a sandbox forbids"],
])("%s %s", ([program = "", why]) => {
  expect(needsOf([[program]]).outside).toBe(`${program} ${why}`);
});

test("a program no sandbox can hold is named with its reason, wherever in the call it stands", () => {
  expect(needsOf([["ls"], ["/usr/bin/sudo", "ls"]]).outside).toBe(
    "sudo works with rights that nothing in a sandbox has",
  );
  expect(needsOf([["ls"], ["echo", "sudo"]]).outside).toBeUndefined();
});
