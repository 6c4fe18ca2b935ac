import { ToolError, type Host } from "../core/index.ts";

/** Maximum bytes read from a file of /proc. */
const maxBytes = 4096;

/** Number of the system call `read`, by architecture. */
const readCalls: Readonly<Record<string, string>> = { x64: "0", arm64: "63" };
/**
 * Kernel functions in which a process sleeps while it reads a pipe, a socket or a terminal; for systems that do not
 * show its system call.
 */
const readingPlaces =
  /^(?:anon_)?pipe_read$|^unix_stream_(?:read_generic|data_wait)$|^n_tty_read$/u;
/** Maximum number of processes checked; a program that prompts for input has fewer. */
const maxProcesses = 64;

/** Content of a small system file; undefined if it is missing or not readable by this user. */
export async function systemText(host: Host, path: string): Promise<string | undefined> {
  try {
    const bytes = await host.fs.readRange(path, { offset: 0, length: maxBytes });
    return new TextDecoder().decode(bytes);
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}

/**
 * Token that, with the pid, identifies a process uniquely: the start of the machine and of the process. Undefined if
 * the process is gone or the system does not report it.
 */
export async function startToken(host: Host, pid: number): Promise<string | undefined> {
  if (host.info.os === "darwin") {
    const started = (await printed(host, ["/bin/ps", "-o", "lstart=", "-p", String(pid)])).trim();
    return started === "" ? undefined : started;
  }
  const stat = await systemText(host, `/proc/${pid}/stat`);
  const boot = await systemText(host, "/proc/sys/kernel/random/boot_id");
  if (stat === undefined) return undefined;
  // The name in parentheses may contain anything, including spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state] = fields;
  const ticks = fields[19];
  if (state === "Z" || state === "X" || ticks === undefined) return undefined;
  return `${boot?.trim() ?? ""}:${ticks}`;
}

/** Output of a short program; "" if it cannot run. */
export async function printed(host: Host, argv: readonly string[]): Promise<string> {
  const id = `look-${crypto.randomUUID()}`;
  const decoder = new TextDecoder();
  let text = "";
  try {
    await host.proc.start({ id, argv, cwd: "/", limits: { timeoutMs: 5000 } });
    for await (const chunk of host.proc.output(id, 0)) {
      if ("bytes" in chunk && chunk.stream === "stdout") {
        text += decoder.decode(chunk.bytes, { stream: true });
      }
    }
  } catch (error) {
    if (!ToolError.is(error)) throw error;
  }
  return text;
}

/**
 * Whether a program, or a process it started, is blocked reading the program's own input. Detected on Linux only, and
 * only for a plain `read`: a process that waits for several things at once, as Node does, may be waiting for any of
 * them.
 */
export async function isReadingInput(host: Host, pid: number): Promise<boolean> {
  if (host.info.os !== "linux") return false;
  const input = await linkOf(host, pid, "0");
  if (input === undefined || input === "/dev/null") return false;
  for (const process of await withChildren(host, pid)) {
    if (await isReading(host, process, input)) return true;
  }
  return false;
}

async function isReading(host: Host, pid: number, input: string): Promise<boolean> {
  const call = (await systemText(host, `/proc/${pid}/syscall`))?.split(" ");
  if (call?.[1] !== undefined) {
    const [number, descriptor] = call;
    if (number !== readCalls[host.info.arch]) return false;
    return (await linkOf(host, pid, String(Number(descriptor)))) === input;
  }
  const place = (await systemText(host, `/proc/${pid}/wchan`))?.trim() ?? "";
  return readingPlaces.test(place) && (await linkOf(host, pid, "0")) === input;
}

async function withChildren(host: Host, pid: number): Promise<readonly number[]> {
  const found = [pid];
  for (const parent of found) {
    const children = await systemText(host, `/proc/${parent}/task/${parent}/children`);
    for (const child of children?.trim().split(" ") ?? []) {
      if (child !== "" && found.length < maxProcesses) found.push(Number(child));
    }
  }
  return found;
}

async function linkOf(host: Host, pid: number, descriptor: string): Promise<string | undefined> {
  try {
    return await host.fs.readLink(`/proc/${pid}/fd/${descriptor}`);
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}
