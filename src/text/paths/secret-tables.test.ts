import { describe, expect, test } from "vitest";
import { familyReasons } from "../../core/tables/family-reasons.ts";
import { protectedFamilies } from "../../core/tables/protected-paths.ts";
import { secretFamilies } from "../../core/tables/secret-paths.ts";
import { secretVariables } from "../../core/tables/secret-variables.ts";
import { childrenOf, namesBelow, secretPlaces, type SecretNode } from "./secret-places.ts";
import { secretFamilyNames } from "../../core/tables/secret-rows.ts";

test("every family of paths has a reason, and no reason is without its family", () => {
  const families = [...Object.keys(protectedFamilies), ...Object.keys(secretFamilies)];

  expect(Object.keys(familyReasons).toSorted()).toEqual([...new Set(families)].toSorted());
  expect(Object.values(familyReasons).filter((reason) => !/^[a-z].{5}/u.test(reason))).toEqual([]);
});

test("every family of secrets is looked for", () => {
  expect(secretFamilyNames.toSorted()).toEqual(Object.keys(secretFamilies).toSorted());
});

describe("a variable that says where a secret is", () => {
  test.each(Object.entries(secretVariables))("%s protects its places", (name, parts) => {
    const places = secretPlaces({
      homes: ["/home/ada"],
      variables: { [name]: "/moved/to" },
      workspace: "/ws",
    });

    for (const part of parts) {
      const path = part === "" ? "/moved/to" : `/moved/to/${part}`;
      expect([path, places.at(path)]).toEqual([path, path]);
    }
    expect(places.at("/moved")).toBeUndefined();
  });

  test("is one of these", () => {
    const rows = Object.entries(secretVariables).map(
      ([name, parts]) => `${name}: ${parts.map((part) => part || ".").join(" ")}`,
    );

    expect(rows).toMatchInlineSnapshot(`
      [
        "AWS_SHARED_CREDENTIALS_FILE: .",
        "AWS_CONFIG_FILE: .",
        "AWS_WEB_IDENTITY_TOKEN_FILE: .",
        "AZURE_CONFIG_DIR: .",
        "CLOUDSDK_CONFIG: .",
        "GOOGLE_APPLICATION_CREDENTIALS: .",
        "OCI_CLI_CONFIG_FILE: .",
        "BOTO_CONFIG: .",
        "S3CMD_CONFIG: .",
        "RCLONE_CONFIG: .",
        "KUBECONFIG: .",
        "DOCKER_CONFIG: .",
        "REGISTRY_AUTH_FILE: .",
        "HELM_REGISTRY_CONFIG: .",
        "HELM_REPOSITORY_CONFIG: .",
        "HELM_CONFIG_HOME: .",
        "PULUMI_HOME: credentials.json",
        "TF_CLI_CONFIG_FILE: .",
        "VAULT_TOKEN_PATH: .",
        "FLY_CONFIG_DIR: .",
        "DATABRICKS_CONFIG_FILE: .",
        "SNOWFLAKE_HOME: .",
        "DBT_PROFILES_DIR: profiles.yml",
        "MODAL_CONFIG_PATH: .",
        "GNUPGHOME: .",
        "SOPS_AGE_KEY_FILE: .",
        "PASSWORD_STORE_DIR: .",
        "GOPASS_HOMEDIR: .",
        "OP_CONFIG_DIR: .",
        "BITWARDENCLI_APPDATA_DIR: .",
        "DOPPLER_CONFIG_DIR: .",
        "KRB5CCNAME: .",
        "KRB5_KTNAME: .",
        "XAUTHORITY: .",
        "NETRC: .",
        "CURL_HOME: .netrc .curlrc",
        "GH_CONFIG_DIR: .",
        "GLAB_CONFIG_DIR: .",
        "NPM_CONFIG_USERCONFIG: .",
        "npm_config_userconfig: .",
        "NPM_CONFIG_GLOBALCONFIG: .",
        "npm_config_globalconfig: .",
        "BUN_INSTALL_CONFIG: .",
        "PIP_CONFIG_FILE: .",
        "POETRY_CONFIG_DIR: .",
        "UV_CREDENTIALS_DIR: .",
        "CONDARC: .",
        "CARGO_HOME: credentials credentials.toml",
        "BUNDLE_USER_CONFIG: .",
        "BUNDLE_APP_CONFIG: config",
        "GRADLE_USER_HOME: gradle.properties init.d init.gradle",
        "COMPOSER_HOME: auth.json config.json",
        "NUGET_CONFIG_FILE: .",
        "HEX_HOME: .",
        "STACK_ROOT: config.yaml upload",
        "CABAL_CONFIG: .",
        "PUB_CACHE: credentials.json",
        "CONAN_HOME: .conan.db credentials.json",
        "JFROG_CLI_HOME_DIR: .",
        "PGPASSFILE: .",
        "PGSERVICEFILE: .",
        "MYSQL_HOME: my.cnf",
        "MYSQL_TEST_LOGIN_FILE: .",
        "REDISCLI_RCFILE: .",
        "CLAUDE_CONFIG_DIR: .credentials.json .claude.json settings.json settings.local.json history.jsonl projects sessions shell-snapshots file-history debug backups",
        "CODEX_HOME: auth.json .credentials.json config.toml history.jsonl sessions archived_sessions log",
        "GEMINI_CLI_HOME: .gemini",
        "COPILOT_HOME: .",
        "OPENCODE_CONFIG: .",
        "OPENCODE_CONFIG_DIR: .",
        "GOOSE_PATH_ROOT: .",
        "CONTINUE_GLOBAL_DIR: .",
        "CLINE_DIR: .",
        "HF_HOME: token stored_tokens",
        "HF_TOKEN_PATH: .",
        "KAGGLE_CONFIG_DIR: .",
        "WANDB_CONFIG_DIR: .",
        "LLM_USER_PATH: .",
        "HISTFILE: .",
        "LESSHISTFILE: .",
        "NODE_REPL_HISTORY: .",
        "PYTHON_HISTORY: .",
        "PSQL_HISTORY: .",
        "MYSQL_HISTFILE: .",
        "SQLITE_HISTORY: .",
        "REDISCLI_HISTFILE: .",
        "IPYTHONDIR: profile_default/history.sqlite profile_default/security",
        "JUPYTER_CONFIG_DIR: jupyter_server_config.json jupyter_server_config.py",
        "MUTTRC: .",
        "MAILDIR: .",
        "MAIL: .",
        "WEECHAT_HOME: .",
        "ANSIBLE_VAULT_PASSWORD_FILE: .",
        "RESTIC_PASSWORD_FILE: .",
        "BORG_KEYS_DIR: .",
        "BORG_KEY_FILE: .",
      ]
    `);
  });
});

describe("what is below a home directory", () => {
  const homes = ["/home/ada", "/root", "/root/inner"];

  test("is secret below every home, and what is added below one is secret only there", () => {
    const places = secretPlaces({ homes, variables: {}, workspace: "/ws", add: ["~/.ours"] });

    expect(homes.map((home) => places.at(`${home}/.ssh/id`))).toEqual(
      homes.map((home) => `${home}/.ssh`),
    );
    expect(homes.map((home) => places.at(`${home}/.ours/x`))).toEqual([
      "/home/ada/.ours",
      undefined,
      undefined,
    ]);
  });

  test("is listed once, also where a variable leads to it", () => {
    const variables = { XDG_CONFIG_HOME: "/home/ada/.config" };
    const places = secretPlaces({ homes, variables, workspace: "/ws", add: ["~/.aws"] });
    const all = places.below("/home");

    expect(all.filter((each) => each === "/ada/.aws")).toHaveLength(1);
    expect(all.filter((each) => each === "/ada/.config/gcloud")).toHaveLength(1);
    expect(places.below("/home/ada/.config").filter((each) => each === "/gcloud")).toHaveLength(1);
  });

  test("and is secret as a whole is listed without its parts", () => {
    const places = secretPlaces({ homes, variables: {}, workspace: "/ws", add: ["~/.config"] });

    expect(places.below("/home/ada").filter((each) => each.startsWith("/.config"))).toEqual([
      "/.config",
    ]);
  });

  test("is known by name, for a home that cannot be listed", () => {
    const { root } = secretPlaces({ homes, variables: {}, workspace: "/ws", add: ["~/.ours"] });
    const [home] = ["home", "ada"].reduce<readonly SecretNode[]>(
      (nodes, name) => nodes.flatMap((node) => childrenOf(node, name)),
      [root],
    );

    const names = home === undefined ? [] : namesBelow(home);

    expect(names).toEqual(expect.arrayContaining([".ours", ".ssh", ".config"]));
    expect(new Set(names).size).toBe(names.length);
  });
});

test("a home that is named with .. has the same secrets", () => {
  const places = secretPlaces({ homes: ["/home/u/../ada"], variables: {}, workspace: "/ws" });

  expect(places.at("/home/ada/.ssh/id")).toBe("/home/ada/.ssh");
});
