import { ToolError } from "../../core/index.ts";

/** System calls, made from the calling thread. */
export interface SystemCalls {
  /** Makes a system call: a number is passed as a long, a buffer as its address. Below 0 if it failed. */
  call(number: number, values: readonly (number | Buffer | null)[]): number;
  prctl(option: number, value: number): number;
  /** Calls seccomp by its number, with a filter for this thread. */
  installFilter(number: number, filter: Buffer): number;
  errno(): number;
}

const setFilterMode = 1;

/** Loads the optional library for system calls; only a process that confines itself needs it. */
export async function systemCalls(): Promise<SystemCalls> {
  const { default: koffi } = await import("koffi").catch((cause: unknown) => {
    throw new ToolError("UNAVAILABLE", "Landlock is out of reach: koffi is not installed.", {
      hint: "Install it with `npm install koffi`.",
      cause,
    });
  });
  // The C library that this process has already loaded, whatever its name is.
  const library = koffi.load(null);
  const syscall = library.func("long syscall(long, ...)");
  const prctl = library.func("int prctl(int, long, long, long, long)");
  const filterProgram = koffi.struct({ length: "uint16_t", filter: "void *" });
  const pointer = koffi.pointer(filterProgram);
  return {
    call: (number, values) =>
      Number(
        syscall(
          number,
          ...values.flatMap((value) => [typeof value === "number" ? "long" : "void *", value]),
        ),
      ),
    prctl: (option, value) => Number(prctl(option, value, 0, 0, 0)),
    installFilter: (number, filter) =>
      Number(
        syscall(number, "long", setFilterMode, "long", 0, pointer, {
          length: filter.length / 8,
          filter,
        }),
      ),
    errno: () => koffi.errno(),
  };
}
