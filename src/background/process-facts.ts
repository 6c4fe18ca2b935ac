import { ToolError, type Host } from "../core/index.ts";

/** Maximum bytes read from a file of /proc. */
const maxBytes = 4096;

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
