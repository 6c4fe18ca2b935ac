import { expect, test } from "vitest";
import { serverSession } from "../../bench/server-session.ts";
import { haftFile, notBuilt } from "../support/built.ts";

/**
 * Maximum memory growth per call of the mix once the server is warm: the log of events takes more than that on disk.
 */
const maxBytesPerCall = 100_000;

test.skipIf(notBuilt !== undefined || process.platform !== "linux")(
  "a session of the server takes bounded memory, and its event log no more than its bound",
  async () => {
    const found = await serverSession({
      calls: 1500,
      command: [haftFile, "mcp"],
    });

    expect(found).toHaveLength(10);
    const [warm, last] = [found[4], found[9]];
    expect(last?.ok).toBeGreaterThan(800);
    expect((last?.rssBytes ?? 0) - (warm?.rssBytes ?? 0)).toBeLessThan(750 * maxBytesPerCall);
    expect(last?.eventBytes).toBeLessThan(128 * 1024 * 1024);
  },
);
