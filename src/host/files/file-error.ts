import { ToolError, type ErrorCode } from "../../core/index.ts";

interface FileProblem {
  readonly code: ErrorCode;
  readonly says: (path: string) => string;
  readonly hint: string;
}

const missing: FileProblem = {
  code: "NOT_FOUND",
  says: (path) => `${path} does not exist.`,
  hint: "List the directory it should be in, or search for it by name.",
};
const refused: FileProblem = {
  code: "ACCESS_DENIED",
  says: (path) => `The operating system does not permit this on ${path}.`,
  hint: "Ask the user to change its permissions, or use another path.",
};
const full: FileProblem = {
  code: "NO_SPACE",
  says: (path) => `There is no space left to write ${path}.`,
  hint: "Free some space, then try again.",
};
const special: FileProblem = {
  code: "NOT_A_FILE",
  says: (path) => `${path} is not a regular file.`,
  hint: "FIFOs, sockets and devices are never opened; use a regular file.",
};
const unusable: FileProblem = {
  code: "INVALID_INPUT",
  says: (path) => `${shortened(path)} cannot be a path here.`,
  hint: "Use a shorter path without NUL characters, and do not put a directory into itself.",
};
const busy: FileProblem = {
  code: "UNAVAILABLE",
  says: (path) => `${path} cannot be used at the moment.`,
  hint: "Try again in a moment.",
};
const changed: FileProblem = {
  code: "PATH_CHANGED",
  says: (path) => `${path} now leads through a symbolic link that was not there before.`,
  hint: "Look at the path again, then repeat the call.",
};

/** Meaning of each errno for the caller that named the path. */
const problems: ReadonlyMap<string, FileProblem> = new Map([
  ["ENOENT", missing],
  [
    "EISDIR",
    {
      code: "IS_DIRECTORY",
      says: (path) => `${path} is a directory, not a file.`,
      hint: "Name a file inside it, or list it.",
    },
  ],
  [
    "ENOTDIR",
    {
      code: "NOT_A_DIRECTORY",
      says: (path) => `${path} is not a directory, or something on the way to it is a file.`,
      hint: "Check each part of the path.",
    },
  ],
  [
    "EEXIST",
    {
      code: "ALREADY_EXISTS",
      says: (path) => `${path} already exists.`,
      hint: "Read it first, or choose another name.",
    },
  ],
  ["EACCES", refused],
  ["EPERM", refused],
  ["EROFS", refused],
  ["ENOSPC", full],
  ["EDQUOT", full],
  ["EFBIG", full],
  ["ENXIO", special],
  ["ENODEV", special],
  ["ELOOP", changed],
  ["EINVAL", unusable],
  ["ENAMETOOLONG", unusable],
  ["ERR_INVALID_ARG_VALUE", unusable],
  ["EBUSY", busy],
  ["EMFILE", busy],
  ["ENFILE", busy],
  ["ETXTBSY", busy],
  [
    "ENOTEMPTY",
    {
      code: "IS_DIRECTORY",
      says: (path) => `${path} is a directory that is not empty.`,
      hint: "Something was put into it meanwhile. Look at it again.",
    },
  ],
  [
    "EXDEV",
    {
      code: "UNAVAILABLE",
      says: (path) => `${path} lies on another file system.`,
      hint: "Copy it there, then remove the original.",
    },
  ],
]);

/** A ToolError for an errno code of the file system; INTERNAL for an unknown code. */
export function fileError(code: string, path: string, cause?: unknown): ToolError {
  const problem = problems.get(code);
  if (problem === undefined) {
    return new ToolError("INTERNAL", `${path}: the file system failed with ${code}.`, {
      hint: "The disk or the file system may be broken; tell the user, and use another path.",
      data: { path, errno: code },
      cause,
    });
  }
  return new ToolError(problem.code, problem.says(path), {
    hint: problem.hint,
    data: { path, errno: code },
    cause,
  });
}

/** Rethrows anything a file system call threw as a ToolError about `path`. */
export function rethrowFileError(error: unknown, path: string): never {
  if (ToolError.is(error)) throw error;
  throw fileError(errnoOf(error) ?? "an unknown error", path, error);
}

/** `ENOENT` and the like, where `error` has one. */
export function errnoOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

function shortened(path: string): string {
  const clean = path.replaceAll("\0", "\\0");
  return clean.length <= 200 ? clean : `${clean.slice(0, 120)}…${clean.slice(-60)}`;
}
