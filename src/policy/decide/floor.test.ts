import { describe, expect, test } from "vitest";
import {
  allModes,
  boundary,
  home,
  runOf,
  unknownOf,
  verdict,
  writeOf,
} from "../../../test/policy/policy-world.ts";
import type { Effect } from "../../core/index.ts";
import { floorOf } from "./floor.ts";

const everything = { allow: ["Bash", "Edit", "Read", "AnyTool"] };

const destructive: readonly { on: Effect; because: string }[] = [
  ...[
    "rm -rf /",
    "rm -rf /../*",
    "rm -rf -x - /",
    "rm -fr /",
    "rm -r -f /",
    "rm -R /",
    "rm --recursive /",
    "rm --recurs /",
    "rm -rf -- /",
    "rm / -rf",
    "rm -rf //",
    "rm -rf /.",
    "rm -rf /*",
    "rm -rf /home/ada",
    "rm -rf /home/ada/",
    "rm -rf /home/ada/*",
    "rm -rf /home/ada/x/..",
    "rm -rf /home",
    "rm -rf ~",
    "rm -rf ~/",
    "rm -rf ~/*",
    "rm -rf $HOME",
    "rm -rf $HOME/*",
    "rm -rf ${HOME}",
    "rm -rf x /",
    "/bin/rm -rf /",
    "busybox rm -rf /",
    "find / -delete",
    "find /home/ada -delete",
    "mkfs /dev/x",
    "mkfs.ext4 /dev/sda1",
    "/sbin/mke2fs x",
    "wipefs -a /dev/sda",
    "format C:",
    "diskpart",
    "dd if=/dev/zero of=/dev/sda",
    "dd of=/dev/nvme0n1",
    "shred /dev/sda",
    "shred -u /dev/sda",
    "find /home /x -delete",
    "shutdown --force -c",
    "mkfs --help /dev/x",
    "shutdown",
    "shutdown -h now",
    "reboot",
    "halt",
    "poweroff",
    "busybox reboot",
    "systemctl poweroff",
    "systemctl -f reboot",
    "init 0",
    "telinit 6",
    "loginctl halt",
  ].map((text) => ({ on: runOf(text), because: text })),
  { on: writeOf("/", "delete", "tree"), because: "everything is removed" },
  { on: writeOf(home, "delete", "tree"), because: "home is removed" },
  { on: writeOf("/home", "delete", "tree"), because: "every home is removed" },
  { on: writeOf("/dev/sda"), because: "a disk is overwritten" },
  { on: writeOf("/dev/nvme0n1p2", "any"), because: "a partition is overwritten" },
  { on: writeOf("/dev/mapper/root"), because: "a mapped disk is overwritten" },
  { on: writeOf("/dev/mem"), because: "memory is overwritten" },
  { on: runOf("rm -rf", { argv: ["rm", "-rf", { dynamic: "the glob `/*`" }] }), because: "a glob" },
];

const harmless: readonly { on: Effect; because: string }[] = [
  ...[
    "rm -rf dist",
    "rm -- - -rf /x",
    "rm x-r /",
    "rm x--recursive /",
    "rm --re-cursive /",
    "rm -rf a/home/ada",
    "rm -rf ./",
    "dd if=/dev/sda x",
    "dd /dev/sda",
    "dd /dev/sda-of=x",
    "dd conv=of=/dev/sda",
    "find src -name / -delete",
    "find / -x -delete /",
    "rm -rf ./dist /ws/dist",
    "rm /",
    "rm -f /home/ada",
    "rm -rf /home/ada/x",
    "rm -rf /home/adam",
    "rm -rf $X",
    "rm -rf $HOME/x",
    "rm -rf ~/x",
    "rm -- -r /",
    "rm --force /",
    "rm --r /x",
    "find / -name x -delete",
    "find . -delete",
    "find /",
    "echo rm -rf /",
    "echo / -delete",
    "mkfs --help",
    "shutdown --help",
    "dd if=/dev/sda of=x",
    "dd of=/dev/null",
    "systemctl status poweroffd",
    "systemctl restart nginx",
    "init",
    "init 3",
    "formatter x",
    "npm run format",
    "prettier --write .",
    "shred x",
  ].map((text) => ({ on: runOf(text), because: text })),
  { on: writeOf("/home/ada/x", "delete", "tree"), because: "a folder in home" },
  { on: writeOf("/home/ada", "delete"), because: "a file of that name cannot be" },
  { on: writeOf("/", "any", "tree"), because: "no removal" },
  { on: writeOf("/ws", "delete", "tree"), because: "the workspace is asked about, in every mode" },
  { on: writeOf("/dev/null", "any"), because: "nothing is kept there" },
  { on: writeOf("/dev/sound"), because: "no disk" },
];

describe("the destructive floor", () => {
  test.each(destructive)("stops $because, whatever rules and modes say", ({ on }) => {
    for (const mode of allModes) expect(verdict([on], { mode, lists: everything })).toBe("deny");
  });

  test.each(harmless)("lets others decide about $because", ({ on }) => {
    expect(floorOf([on], boundary)).toBeUndefined();
  });

  test("stops what a tool itself says is never to be done, and names the effect", () => {
    const effect = { ...unknownOf("AnyTool"), floor: true } as const;

    expect(floorOf([runOf("ls"), effect], boundary)).toEqual({ effect, because: effect.because });
    expect(floorOf([{ ...effect, floor: false }], boundary)).toBeUndefined();
    expect(verdict([effect], { lists: everything, mode: "bypassPermissions" })).toBe("deny");
  });

  test("knows no home where there is none", () => {
    const { home: _home, ...homeless } = boundary;

    expect(floorOf([writeOf("/home", "delete", "tree")], homeless)).toBeUndefined();
    expect(floorOf([writeOf("/", "delete", "tree")], { ...homeless, roots: [] })?.because).toBe(
      "It would remove everything on this machine.",
    );
  });

  test("looks at every effect", () => {
    expect(verdict([runOf("ls"), runOf("reboot")], { lists: everything })).toBe("deny");
  });

  test("knows the folders in which the workspace lies", () => {
    const deep = { ...boundary, roots: ["/srv/work/project"] };

    expect(floorOf([writeOf("/srv/work", "delete", "tree")], deep)?.because).toBe(
      "It would remove /srv/work, which contains the workspace.",
    );
    expect(floorOf([runOf("rm -rf /srv/work/")], deep)).toBeDefined();
    expect(floorOf([writeOf("/srv/work/project", "delete", "tree")], deep)).toBeUndefined();
    expect(floorOf([writeOf("/srv/work/other", "delete", "tree")], deep)).toBeUndefined();
  });
});
