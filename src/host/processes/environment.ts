/** Names that a program may need and that never contain a secret. */
const allowedNames: ReadonlySet<string> = new Set(
  `PATH HOME USER LOGNAME SHELL LANG LANGUAGE TERM COLORTERM TERM_PROGRAM TZ TZDIR TMPDIR TEMP TMP
   COLUMNS LINES NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE CI PAGER EDITOR VISUAL HOSTNAME HOSTTYPE OSTYPE
   NODE_ENV NODE_PATH NODE_EXTRA_CA_CERTS NVM_DIR NVM_BIN FNM_DIR VOLTA_HOME PNPM_HOME COREPACK_HOME BUN_INSTALL DENO_DIR
   VIRTUAL_ENV PYENV_ROOT PYTHONPATH PYTHONHOME PYTHONUNBUFFERED CONDA_PREFIX CONDA_DEFAULT_ENV POETRY_HOME UV_CACHE_DIR
   CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN GOPATH GOROOT GOBIN GOCACHE GOMODCACHE GOFLAGS GOPROXY
   JAVA_HOME JDK_HOME MAVEN_HOME M2_HOME GRADLE_HOME GRADLE_USER_HOME ANDROID_HOME ANDROID_SDK_ROOT
   RBENV_ROOT GEM_HOME GEM_PATH ASDF_DIR MISE_DATA_DIR DOTNET_ROOT COMPOSER_HOME
   LD_LIBRARY_PATH DYLD_LIBRARY_PATH LIBRARY_PATH CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH PKG_CONFIG_PATH MANPATH INFOPATH
   CC CXX AR LD CFLAGS CXXFLAGS CPPFLAGS LDFLAGS MAKEFLAGS CMAKE_PREFIX_PATH
   GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
   SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE REQUESTS_CA_BUNDLE
   HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY
   DISPLAY WAYLAND_DISPLAY HOMEBREW_PREFIX HOMEBREW_CELLAR HOMEBREW_REPOSITORY NIX_PATH NIX_PROFILES NIX_SSL_CERT_FILE
   SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT USERPROFILE APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES
   PROGRAMFILES(X86) COMMONPROGRAMFILES HOMEDRIVE HOMEPATH USERNAME COMPUTERNAME NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE`
    .split(/\s+/u)
    .filter((name) => name !== ""),
);

/** Prefixes of names that are all allowed. */
const allowedPrefixes = ["LC_", "XDG_"] as const;

/** Part of a name that marks its value as a secret: `GITHUB_TOKEN`, `openai_api_key`, `DB_PASSWORD`. */
const secretName =
  /(?:^|[_\-.])(?:TOKENS?|SECRETS?|KEYS?|APIKEYS?|PASS|PASSWD|PASSWORDS?|PASSPHRASE|PWD|CREDENTIALS?|CREDS?|AUTH|AUTHORIZATION|PRIVATE|COOKIES?|JWT|BEARER|DSN|WEBHOOKS?|PIN)(?:$|[_\-.\d])|(?:TOKEN|SECRET|PASSWORD|APIKEY)$/iu;

/** Formats of secrets of well-known providers, whatever variable contains them. */
const secretValues: readonly RegExp[] = [
  /\bgh[pousr]_[A-Za-z0-9]{16,}/u,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/u,
  /\bglpat-[\w-]{16,}/u,
  /\bsk-[\w-]{16,}/u,
  /\b[rsp]k_(?:live|test)_[A-Za-z0-9]{10,}/u,
  /\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{12,}/u,
  /\bAIza[\w-]{30,}/u,
  /\bya29\.[\w-]{20,}/u,
  /\bxox[abeoprs]-[\w-]{10,}/u,
  /\bnpm_[A-Za-z0-9]{30,}/u,
  /\bpypi-[\w-]{30,}/u,
  /\bhf_[A-Za-z0-9]{20,}/u,
  /\bgsk_[A-Za-z0-9]{20,}/u,
  /\bxai-[A-Za-z0-9]{20,}/u,
  /\bSG\.[\w-]{16,}\.[\w-]{16,}/u,
  /\bdop_v1_[a-f0-9]{32,}/u,
  /-----BEGIN [A-Z ]*PRIVATE KEY/u,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/u,
  /:\/\/[^\s/:@]*:[^\s/@]+@/u,
  /\bBearer\s+\S{8,}/iu,
];

export interface ScrubbedEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  /** Names that were withheld, sorted; values are never stored. */
  readonly withheld: readonly string[];
}

/**
 * The environment that a program started for a model may see: listed names only, except those whose name or value looks
 * like a secret. `pass` lists names that the user passes on anyway.
 */
export function scrubEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
  pass: readonly string[] = [],
): ScrubbedEnvironment {
  const kept: [string, string][] = [];
  const withheld: string[] = [];
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) continue;
    if (pass.includes(name) || (isAllowedName(name) && !isSecret(name, value))) {
      kept.push([name, value]);
    } else withheld.push(name);
  }
  return { variables: Object.fromEntries(kept), withheld: withheld.toSorted() };
}

/** Windows and proxies write some names in lower case. */
function isAllowedName(name: string): boolean {
  const upper = name.toUpperCase();
  return allowedNames.has(upper) || allowedPrefixes.some((prefix) => upper.startsWith(prefix));
}

function isSecret(name: string, value: string): boolean {
  return secretName.test(name) || secretValues.some((form) => form.test(value));
}
