import { ToolError, type Host } from "../../core/index.ts";

/** The largest file of /proc that is looked at. */
const maxBytes = 4096;

/** A small text file of the system; undefined where it is not there or not ours to see. */
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
 * What, with its pid, names a process for good: the machine's start and the process's own. Undefined where the
 * process is gone or the system does not tell.
 */
export async function startToken(host: Host, pid: number): Promise<string | undefined> {
  if (host.info.os === "darwin") {
    const started = (await printed(host, ["/bin/ps", "-o", "lstart=", "-p", String(pid)])).trim();
    return started === "" ? undefined : started;
  }
  const stat = await systemText(host, `/proc/${pid}/stat`);
  const boot = await systemText(host, "/proc/sys/kernel/random/boot_id");
  if (stat === undefined) return undefined;
  // The name in parentheses may hold anything, also spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state] = fields;
  const ticks = fields[19];
  if (state === "Z" || state === "X" || ticks === undefined) return undefined;
  return `${boot?.trim() ?? ""}:${ticks}`;
}

/** What a short program prints; "" where it cannot be run. */
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
