import { ToolError } from "../../core/index.ts";

/** Calls of the kernel, made from the thread that asks. */
export interface SystemCalls {
  /** A number is passed as a long, a buffer as its address. Below 0 when it failed. */
  call(number: number, values: readonly (number | Buffer | null)[]): number;
  prctl(option: number, value: number): number;
  /** The seccomp call of that number, with a filter for this thread. */
  installFilter(number: number, filter: Buffer): number;
  errno(): number;
}

const setFilterMode = 1;

/** Loads the optional library that reaches the kernel; only a process that confines itself needs it. */
export async function systemCalls(): Promise<SystemCalls> {
  const { default: koffi } = await import("koffi").catch((cause: unknown) => {
    throw new ToolError("UNAVAILABLE", "Landlock is out of reach: koffi is not installed.", {
      hint: "Install it with `npm install koffi`.",
      cause,
    });
  });
  // The C library this process has loaded already, whatever its name is.
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
