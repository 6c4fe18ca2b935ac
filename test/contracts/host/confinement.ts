import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Confinement } from "../../../src/core/index.ts";
import type { World } from "./world.ts";

/** Programs that are started in another way than they were asked for. */
export function confinementContract(
  world: World,
  { isNarrowed = false }: { readonly isNarrowed?: boolean },
): void {
  const canConfine = (): boolean => world().host.info.capabilities.confinement === true;

  describe("confinement", () => {
    test("a host that cannot confine refuses and starts nothing", async ({ skip }) => {
      if (isNarrowed || canConfine()) skip("This host confines.");
      const { confinement } = counting();

      await expect(world().start("a", ["echo", "plain"], { confinement })).rejects.toMatchObject({
        code: "UNAVAILABLE",
      });
      expect(await world().host.proc.list()).toEqual([]);
      await expect(world().finish("a")).rejects.toMatchObject({ code: "NOT_FOUND" });
    });

    test("what a confinement makes of a program is what is started", async ({ skip }) => {
      if (isNarrowed || !canConfine()) skip("This host confines nothing.");
      const { confinement } = counting();
      await world().start("a", ["echo", "plain"], { confinement });

      expect((await world().finish("a")).stdout).toBe("wrapped echo plain\n");
    });

    test("a way of starting that a tool names is another program, and never taken", async ({
      skip,
    }) => {
      if (!isNarrowed) skip("This host is not a tool's.");
      const { confinement, wrapped } = counting();
      await world().start("a", ["echo", "plain"], { confinement });

      expect((await world().finish("a")).stdout).toBe("plain\n");
      expect(wrapped).toEqual([]);
    });

    test("a program gets the descriptors of its confinement, and nothing in their holes", async ({
      skip,
    }) => {
      if (isNarrowed || !canConfine()) skip("This host confines nothing.");
      writeFileSync(world().at("given"), "from the file");
      const confinement: Confinement = {
        wrap: (argv, { cwd }) => ({
          argv,
          cwd,
          env: { PATH: "/usr/bin:/bin", ONLY: "this" },
          descriptors: [{ number: 5, kind: "file", path: world().at("given") }],
        }),
      };
      const inHoles = "for at in 3 4; do if [ -e /proc/$$/fd/$at ]; then echo $at; fi; done";
      const script = `cat <&5; printf " [%s] " "$ONLY$HOME"; ${inHoles}`;
      await world().start("a", ["/bin/sh", "-c", script], { confinement, env: { HOME: "/none" } });

      const { stdout, exit } = await world().finish("a");
      expect(stdout).toBe("from the file [this] ");
      expect(exit.code).toBe(0);
    });

    test("a program that is not there is NOT_FOUND, whatever would start it", async ({ skip }) => {
      if (isNarrowed || !canConfine()) skip("This host confines nothing.");
      const confinement: Confinement = {
        wrap: (argv, { cwd, env }) => ({ argv: ["echo", ...argv], cwd, env, descriptors: [] }),
      };

      await expect(
        world().start("a", ["no-such-program-anywhere"], { confinement }),
      ).rejects.toMatchObject({ code: "NOT_FOUND" });
      await world().put("plain", "x");
      await expect(world().start("b", ["./plain"], { confinement })).rejects.toMatchObject({
        code: "ACCESS_DENIED",
      });
      await expect(world().start("c", ["/no/such"], { confinement })).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
    });

    test("a wrapping that fails is the error, and nothing is started", async ({ skip }) => {
      if (isNarrowed || !canConfine()) skip("This host confines nothing.");
      const confinement: Confinement = {
        wrap: () => Promise.reject(new Error("no sandbox")),
      };

      await expect(world().start("a", ["echo"], { confinement })).rejects.toThrow("no sandbox");
      expect(await world().host.proc.list()).toEqual([]);
    });
  });
}

function counting(): { readonly confinement: Confinement; readonly wrapped: string[] } {
  const wrapped: string[] = [];
  const wrap: Confinement["wrap"] = (argv, { cwd, env }) => {
    wrapped.push(...argv);
    return { argv: ["echo", "wrapped", ...argv], cwd, env, descriptors: [] };
  };
  return { confinement: { wrap }, wrapped };
}
