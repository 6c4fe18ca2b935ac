import { describe, expect, test } from "vitest";
import type { World } from "./world.ts";

/** Facts about a host, its clock and its network. */
export function machineContract(world: World): void {
  describe("info and clock", () => {
    test("describes itself with canonical absolute paths", async () => {
      const { info, fs, id } = world().host;

      expect(id).not.toBe("");
      expect(await fs.canonical(info.home)).toBe(info.home);
      expect(await fs.canonical(info.temporary)).toBe(info.temporary);
      expect(info.shell.at(0)).toMatch(/^\//u);
    });

    test("an aborted sleep rejects with ABORTED", async () => {
      const stop = new AbortController();
      const sleeping = world().host.clock.sleep(60_000, { signal: stop.signal });
      stop.abort();

      await expect(sleeping).rejects.toMatchObject({ code: "ABORTED" });
      await expect(world().host.clock.sleep(60_000, { signal: stop.signal })).rejects.toMatchObject(
        { code: "ABORTED" },
      );
    });

    test("a cancelled timer does not call back", async () => {
      let calls = 0;
      const cancel = world().host.clock.timer(0, () => {
        calls += 1;
      });
      cancel();
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });

      expect(calls).toBe(0);
      expect(world().host.clock.now()).toBeGreaterThan(1_700_000_000_000);
    });
  });

  describe("net", () => {
    test.for([
      "file:///etc/passwd",
      "ftp://example.com/",
      "not a url",
      "/relative",
      "https://user:secret@127.0.0.1/",
      "http://127.0.0.1:25/",
    ])("%s is not a valid address for it", async (url) => {
      await expect(world().host.net.fetch({ url })).rejects.toMatchObject({
        code: "INVALID_INPUT",
      });
    });

    test("an aborted request rejects with ABORTED", async () => {
      await expect(
        world().host.net.fetch({ url: "http://127.0.0.1:65533/" }, { signal: AbortSignal.abort() }),
      ).rejects.toMatchObject({ code: "ABORTED" });
    });

    test("what cannot be reached is UNAVAILABLE", async () => {
      const fetching = world().host.net.fetch(
        { url: "http://127.0.0.1:65533/" },
        { allowsPrivate: true },
      );

      await expect(fetching).rejects.toMatchObject({ code: "UNAVAILABLE" });
    });
  });
}
