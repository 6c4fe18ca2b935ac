import { joinPath } from "../../text/index.ts";
import { kindAt } from "./existing-path.ts";

/** Directories below the home directory in which package managers and compilers cache downloads and build output. */
const names: readonly string[] = [
  ".npm",
  ".cache",
  ".yarn",
  ".bun",
  ".deno",
  ".node-gyp",
  ".local/share/pnpm",
  ".cargo/registry",
  ".cargo/git",
  ".rustup/tmp",
  "go/pkg",
  ".gradle",
  ".m2/repository",
  ".ivy2",
  ".sbt",
  ".nuget",
  ".gem",
  ".bundle/cache",
  ".composer/cache",
  ".pub-cache",
  ".ccache",
  "Library/Caches",
];

/**
 * Returns the existing caches: without write access to them installing and building fails, and with other directories
 * instead it starts from nothing.
 */
export function cachesIn(home: string): readonly string[] {
  return names
    .map((name) => joinPath(home, name))
    .filter((path) => {
      const kind = kindAt(path);
      return kind === "directory" || kind === "link";
    });
}

/**
 * Returns variables that redirect caches: those that are absent and cannot be created in a read-only home directory,
 * and those that stay closed.
 */
export function cacheVariables(
  home: string,
  temporary: string,
  closed: readonly string[],
): Readonly<Record<string, string>> {
  const variables: Record<string, string> = {};
  const isMissing = (name: string): boolean => {
    const path = joinPath(home, name);
    return closed.includes(path) || kindAt(path) === undefined;
  };
  if (isMissing(".npm")) variables["npm_config_cache"] = joinPath(temporary, "npm");
  if (isMissing(".cache")) variables["XDG_CACHE_HOME"] = joinPath(temporary, "cache");
  if (isMissing("go/pkg")) {
    variables["GOMODCACHE"] = joinPath(temporary, "gomod");
    // Otherwise the cache cannot be deleted.
    variables["GOFLAGS"] = "-modcacherw";
  }
  // Root restores the original owner of unpacked files, which is an error without privileges over other users.
  if (process.getuid?.() === 0) variables["TAR_OPTIONS"] = "--no-same-owner";
  return variables;
}
