import { joinPath } from "../../text/index.ts";
import { kindAt } from "./existing-path.ts";

/** Below the home folder: where package managers and compilers keep what they have fetched or built. */
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

/** Those that are there: without them installing and building fails, and with others in their place it starts anew. */
export async function cachesIn(home: string): Promise<readonly string[]> {
  const paths = names.map((name) => joinPath(home, name));
  const kinds = await Promise.all(paths.map(kindAt));
  return paths.filter((_, index) => kinds[index] === "directory" || kinds[index] === "link");
}

/** For caches that are not there and cannot be made in a home folder that is read-only, and those that are kept closed. */
export async function cacheVariables(
  home: string,
  temporary: string,
  closed: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const variables: Record<string, string> = {};
  const isMissing = async (name: string): Promise<boolean> => {
    const path = joinPath(home, name);
    return closed.includes(path) || (await kindAt(path)) === undefined;
  };
  if (await isMissing(".npm")) variables["npm_config_cache"] = joinPath(temporary, "npm");
  if (await isMissing(".cache")) variables["XDG_CACHE_HOME"] = joinPath(temporary, "cache");
  if (await isMissing("go/pkg")) {
    variables["GOMODCACHE"] = joinPath(temporary, "gomod");
    // Else it cannot be taken away again.
    variables["GOFLAGS"] = "-modcacherw";
  }
  // Root gives what it unpacks to whoever owned it elsewhere; without rights over others that is an error.
  if (process.getuid?.() === 0) variables["TAR_OPTIONS"] = "--no-same-owner";
  return variables;
}
