import type { ProtectedFamily } from "./protected-paths.ts";
import type { SecretFamily } from "./secret-paths.ts";

/** Why each family is in the tables; the documentation is generated from it. */
export const familyReasons: Readonly<Record<ProtectedFamily | SecretFamily, string>> = {
  "version control":
    "git and similar tools run these hooks, and the programs that these settings name, at the next command",
  "editors and containers":
    "an editor or a container runs or obeys them when it opens the directory",
  environments: "a shell or a version manager runs or obeys them when it enters the directory",
  agents: "decide what an agent may do and which programs it starts, and contain its credentials",
  "continuous integration": "run on another machine, with its secrets, after the next push",
  "package managers and build tools":
    "decide which program or server every later command of the tool uses",
  "debuggers and interpreters":
    "run when the program starts in the directory, or for this user anywhere",
  "shells and logins": "run at the next login, shell or desktop session",
  keys: "private keys sign in and sign as the user",
  cloud: "credentials of clouds, clusters, container engines and services",
  "code hosts": "credentials of code hosts and build services",
  "package registries": "credentials of registries, which also allow publishing packages",
  editors: "tokens of extensions, unsaved text and earlier versions of files",
  wallets: "access to money",
  "shell and interpreter histories": "typed commands, with passwords and tokens among them",
  databases: "credentials of databases, and queries sent to them",
  "passwords and sign-ins": "passwords, second factors, sessions and private messages",
  "browsers and mail": "sessions, saved passwords and private mail",
  system: "passwords and keys of the machine, its services and other users",
};
