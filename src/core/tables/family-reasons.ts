import type { ProtectedFamily } from "./protected-paths.ts";
import type { SecretFamily } from "./secret-paths.ts";

/** Why each family is in the tables; the documentation is made from it. */
export const familyReasons: Readonly<Record<ProtectedFamily | SecretFamily, string>> = {
  "version control":
    "git and others run their hooks, and what their settings name, at the next command",
  "editors and containers":
    "an editor, or a container, runs or obeys them when it opens the directory",
  environments: "a shell, or a version manager, runs or obeys them when it enters the directory",
  agents: "say what an agent may do and which programs it starts, and hold what signs it in",
  "continuous integration": "run on another machine, with its secrets, at the next push",
  "package managers and build tools":
    "say which program, or which server, every later command of theirs uses",
  "debuggers and interpreters": "run when the program starts in the directory or for the user",
  "shells and logins": "run at the next login, shell or desktop session",
  keys: "private keys sign in and sign for the user",
  cloud: "sign in to clouds, clusters, container engines and services",
  "code hosts": "sign in to where code is kept and built",
  "package registries": "sign in to registries, and let packages be published",
  editors: "hold tokens of extensions, unsaved text and earlier versions of files",
  wallets: "hold money",
  "shell and interpreter histories": "repeat what was typed, passwords and tokens among it",
  databases: "sign in to databases, and repeat what was asked of them",
  "passwords and sign-ins": "hold passwords, second factors, sessions and private messages",
  "browsers and mail": "hold sessions, saved passwords and private letters",
  system: "hold passwords and keys of the machine, of its services and of other users",
};
