import {
  ToolError,
  type HostEntry,
  type HostFs,
  type HostOptions,
  type StoreFs,
} from "../../core/index.ts";
import { absolutePath, resolveLinks } from "../files/resolve-links.ts";
import { fileError } from "../files/file-error.ts";
import { appenderOf } from "./file-store.ts";

/** Where a path of the store is. */
export interface StoredPlace {
  readonly fs: StoreFs;
  readonly path: string;
  /** Reads and writes, reads only, or nothing. */
  readonly access: "all" | "read" | "none";
}

/** Returns the place of a path; undefined for a path of the host. */
export type PlaceOf = (path: string) => StoredPlace | undefined;

/**
 * A file system that takes some paths from a store and all others from a host. The host sees no path of the store, and
 * a link on the host never leads into it.
 */
export function routedFs(host: HostFs, placeOf: PlaceOf): HostFs {
  const reading = (path: string): StoredPlace | undefined => {
    const place = placeOf(path);
    if (place?.access === "none") throw unreachable(path);
    return place;
  };
  const writing = (path: string): StoredPlace | undefined => {
    const place = placeOf(path);
    if (place === undefined || place.access === "all") return place;
    throw place.access === "none" ? unreachable(path) : readOnly(path);
  };
  const canonical = async (
    path: string,
    options?: HostOptions & { readonly base?: string },
  ): Promise<string> => {
    // Without `.` and `..`, but with no link followed: the host must not see a path of the store.
    const given = resolveLinks(absolutePath(path, options?.base), () => undefined);
    if (placeOf(given) !== undefined) return given;
    const found = await host.canonical(path, options);
    if (placeOf(found) === undefined) return found;
    throw new ToolError("ACCESS_DENIED", `${given} leads to what haft stores.`, {
      hint: "Replace the link by a file.",
    });
  };
  return {
    canonical,
    stat: async (path, options) => {
      const place = reading(path);
      if (place === undefined) return await host.stat(path, options);
      return { ...(await place.fs.stat(await followed(place), options)), path };
    },
    readFile: async (path, options) => {
      const place = reading(path);
      if (place === undefined) return await host.readFile(path, options);
      const file = await place.fs.readFile(await followed(place), options);
      return { ...file, stat: { ...file.stat, path } };
    },
    readRange: async (path, range, options) => {
      const place = reading(path);
      if (place === undefined) return await host.readRange(path, range, options);
      return await place.fs.readRange(await followed(place), range, options);
    },
    open: (path, options) => {
      const place = reading(path);
      return place === undefined ? host.open(path, options) : opened(place, options);
    },
    writeAtomic: async (path, data, options) => {
      const place = writing(path);
      if (place === undefined) return await host.writeAtomic(path, data, options);
      const written = await place.fs.writeAtomic(await followed(place), data, options);
      return { ...written, path };
    },
    append: async (path, data, options) => {
      const place = writing(path);
      if (place === undefined) return await host.append(path, data, options);
      await place.fs.append(place.path, data, options);
    },
    list: (path, options) => {
      const place = reading(path);
      return place === undefined ? host.list(path, options) : listed(place, options);
    },
    mkdir: async (path, options) => {
      const place = writing(path);
      if (place === undefined) return await host.mkdir(path, options);
      await place.fs.mkdir(await followed(place), options);
    },
    remove: async (path, options) => {
      const place = writing(path);
      if (place === undefined) return await host.remove(path, options);
      await place.fs.remove(place.path, options);
    },
    move: async (from, to, options) => {
      const [source, target] = [writing(from), writing(to)];
      if (source === undefined && target === undefined) return await host.move(from, to, options);
      if (source === undefined || target === undefined) throw acrossMachines(from, to);
      await source.fs.move(source.path, target.path, options);
    },
    readLink: async (path, options) => {
      const place = reading(path);
      if (place === undefined) return await host.readLink(path, options);
      const { readLink } = place.fs;
      if (readLink === undefined) throw fileError("EINVAL", path);
      return await readLink.call(place.fs, place.path, options);
    },
    appender: async (path, options) => {
      const place = writing(path);
      if (place !== undefined) return await appenderOf(place.fs, place.path);
      return (await host.appender?.(path, options)) ?? (await appenderOf(host, path));
    },
    ...optional(host, writing),
  };
}

/** Functions that only some hosts have, and that no path of the store needs. */
function optional(
  host: HostFs,
  writing: (path: string) => StoredPlace | undefined,
): Partial<HostFs> {
  const onHost = (path: string): void => {
    if (writing(path) !== undefined) throw readOnly(path);
  };
  return {
    ...(host.removeEmpty && {
      removeEmpty: async (path, options) => {
        onHost(path);
        return (await host.removeEmpty?.(path, options)) === true;
      },
    }),
    ...(host.makeLink && {
      makeLink: async (path, target, options) => {
        onHost(path);
        await host.makeLink?.(path, target, options);
      },
    }),
    ...(host.addName && {
      addName: async (path, file) => {
        onHost(path);
        onHost(file.path);
        return (await host.addName?.(path, file)) === true;
      },
    }),
    ...(host.setMode && {
      setMode: async (path, mode, options) => {
        onHost(path);
        await host.setMode?.(path, mode, options);
      },
    }),
    ...(host.setModified && {
      setModified: async (path, mtimeMs, options) => {
        onHost(path);
        await host.setModified?.(path, mtimeMs, options);
      },
    }),
    ...(host.flush && {
      flush: async (paths, options) => {
        const stored = paths.flatMap((path) => writing(path) ?? []);
        const others = paths.filter((path) => writing(path) === undefined);
        const ends = await Promise.allSettled([
          others.length === 0 ? undefined : host.flush?.(others, options),
          ...stored.map(async ({ fs, path }) => await fs.flush?.([path], options)),
        ]);
        for (const end of ends) if (end.status === "rejected") throw end.reason;
      },
    }),
  };
}

/** Path of an entry behind links of the user, who may keep settings elsewhere. */
async function followed({ fs, path }: StoredPlace): Promise<string> {
  return (await fs.canonical?.(path)) ?? path;
}

async function* opened(
  place: StoredPlace,
  options: Parameters<HostFs["open"]>[1],
): AsyncGenerator<Uint8Array> {
  yield* place.fs.open(await followed(place), options);
}

async function* listed(
  place: StoredPlace,
  options: Parameters<HostFs["list"]>[1],
): AsyncGenerator<HostEntry> {
  yield* place.fs.list(await followed(place), options);
}

function unreachable(path: string): ToolError {
  return new ToolError("ACCESS_DENIED", `${path} is where haft stores its own files.`, {
    hint: "No tool reaches it; use another path.",
  });
}

function readOnly(path: string): ToolError {
  return new ToolError("ACCESS_DENIED", `${path} is stored by haft and can only be read.`, {
    hint: "Write to a path in the workspace.",
  });
}

function acrossMachines(from: string, to: string): ToolError {
  return new ToolError("ACCESS_DENIED", `${from} and ${to} are on different machines.`, {
    hint: "Copy the content instead.",
  });
}
