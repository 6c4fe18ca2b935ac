import { assert, nat, property, tuple } from "fast-check";
import { describe, expect, test } from "vitest";
import { seccompProgram, type SeccompOptions } from "./seccomp-program.ts";

const allow = "allow";
const refuse = "EPERM";
const audit = { x64: 0xc000003e, arm64: 0xc00000b7 };

interface SystemCall {
  readonly number: number;
  readonly arch?: number;
  readonly values?: readonly number[];
}

/** Returns the kernel's answer: emulates the part of the filter machine that these programs use. */
function answerTo(program: Uint8Array, { number, arch, values = [] }: SystemCall): string {
  const view = new DataView(program.buffer, program.byteOffset, program.length);
  const word = (offset: number) => {
    if (offset === 0) return number;
    if (offset === 4) return arch ?? 0;
    return values[(offset - 16) / 8] ?? 0;
  };
  let held = 0;
  for (let at = 0; ; at += 1) {
    const code = view.getUint16(at * 8, true);
    const value = view.getUint32(at * 8 + 4, true);
    const jump = (holds: boolean) => {
      at += view.getUint8(at * 8 + (holds ? 2 : 3));
    };
    if (code === 0x20) held = word(value) >>> 0;
    else if (code === 0x15) jump(held === value);
    else if (code === 0x35) jump(held >= value);
    else if (code === 0x45) jump((held & value) !== 0);
    else if (code === 0x06) {
      const names = new Map([
        [0x7fff0000, allow],
        [0x00050001, refuse],
        [0x80000000, "kill"],
        [0x00050026, "ENOSYS"],
      ]);
      return names.get(value) ?? value.toString(16);
    } else throw new Error(`No such instruction: ${code.toString(16)}`);
  }
}

function onX64(options: Omit<SeccompOptions, "arch">) {
  const program = seccompProgram({ ...options, arch: "x64" });
  return (number: number, ...values: readonly number[]) =>
    answerTo(program, { number, arch: audit.x64, values });
}

const offline = onX64({ sockets: "none" });
const online = onX64({ sockets: "internet" });
const shared = onX64({ sockets: "none", sharesProcesses: true });

describe("the filter", () => {
  test.each([
    { what: "read", got: offline(0), is: allow, because: "most calls are nobody's business" },
    { what: "execve", got: offline(59), is: allow, because: "commands start commands" },
    { what: "socketpair", got: offline(53, 1), is: allow, because: "children talk over it" },
    { what: "connect", got: offline(42), is: allow, because: "without a socket it does nothing" },
    { what: "fork by clone", got: offline(56, 0x1200011), is: allow, because: "a plain child" },
    { what: "thread by clone", got: offline(56, 0x3d0f00), is: allow, because: "a plain thread" },
    {
      what: "clone with a user namespace",
      got: offline(56, 0x10000011),
      is: refuse,
      because: "it would be root",
    },
    {
      what: "clone with a mount namespace",
      got: offline(56, 0x20011),
      is: refuse,
      because: "mounts of its own",
    },
    {
      what: "clone3",
      got: offline(435),
      is: "ENOSYS",
      because: "its flags cannot be seen; the library takes clone",
    },
    { what: "unshare", got: offline(272), is: refuse, because: "new namespaces" },
    { what: "ptrace", got: offline(101), is: refuse, because: "a tracer is the traced" },
    { what: "pidfd_getfd", got: offline(438), is: refuse, because: "descriptors of others" },
    { what: "io_uring_setup", got: offline(425), is: refuse, because: "it works past the filter" },
    { what: "io_uring_enter", got: offline(426), is: refuse, because: "it works past the filter" },
    {
      what: "io_uring_setup of its own",
      got: shared(425),
      is: refuse,
      because: "no ring, nothing to enter",
    },
    {
      what: "io_uring_enter",
      got: shared(426),
      is: allow,
      because: "the loop that put the filter on has a ring",
    },
    { what: "mount", got: offline(165), is: refuse, because: "the mounts are the sandbox" },
    { what: "open_tree", got: offline(428), is: refuse, because: "the same by a newer call" },
    {
      what: "a unix socket offline",
      got: offline(41, 1),
      is: refuse,
      because: "services listen on them",
    },
    {
      what: "an internet socket offline",
      got: offline(41, 2),
      is: refuse,
      because: "there is no network",
    },
    {
      what: "a vsock socket offline",
      got: offline(41, 40),
      is: refuse,
      because: "namespaces do not hold it",
    },
    {
      what: "an IPv4 socket online",
      got: online(41, 2),
      is: allow,
      because: "the network was granted",
    },
    {
      what: "an IPv6 socket online",
      got: online(41, 10),
      is: allow,
      because: "the network was granted",
    },
    {
      what: "a unix socket online",
      got: online(41, 1),
      is: refuse,
      because: "services are not the network",
    },
    {
      what: "a vsock socket online",
      got: online(41, 40),
      is: refuse,
      because: "that is the host of the machine",
    },
    {
      what: "a netlink socket online",
      got: online(41, 16),
      is: refuse,
      because: "that is the kernel",
    },
    {
      what: "an x32 call",
      got: offline(0x40000029, 2),
      is: refuse,
      because: "its numbers are others",
    },
    {
      what: "typing into a terminal",
      got: offline(16, 0, 0x5412),
      is: refuse,
      because: "as if a person had",
    },
    {
      what: "pasting into a console",
      got: offline(16, 0, 0x541c),
      is: refuse,
      because: "as if a person had",
    },
    {
      what: "asking a terminal's size",
      got: offline(16, 0, 0x5413),
      is: allow,
      because: "that is what ioctl is for",
    },
    {
      what: "System V memory of its own",
      got: offline(29),
      is: allow,
      because: "its namespace is its own",
    },
    { what: "System V memory of all", got: shared(29), is: refuse, because: "others attach to it" },
    {
      what: "another's limits",
      got: shared(302, 4711),
      is: refuse,
      because: "no time left is a signal",
    },
    { what: "its own limits", got: shared(302, 0), is: allow, because: "prlimit does that" },
    {
      what: "another's priority",
      got: shared(141, 0, 4711),
      is: refuse,
      because: "a share of the machine",
    },
    { what: "its own priority", got: shared(141, 0, 0), is: allow, because: "nice does that" },
    {
      what: "its own namespace's limits",
      got: offline(302, 4711),
      is: allow,
      because: "the others are its own",
    },
  ])("answers $is to $what: $because", ({ got, is }) => {
    expect(got).toBe(is);
  });

  test.each(["x64", "arm64"] as const)(
    "ends a process that calls as another processor than %s",
    (arch) => {
      const program = seccompProgram({ sockets: "internet", arch });

      expect(answerTo(program, { number: 0, arch: 0x40000003 })).toBe("kill");
      expect(answerTo(program, { number: 0, arch: audit[arch] })).toBe(allow);
    },
  );

  test("knows arm64's numbers", () => {
    const program = seccompProgram({ sockets: "none", arch: "arm64" });
    const denied = [198, 117, 40, 97, 268, 425, 438].map((number) =>
      answerTo(program, { number, arch: audit.arm64, values: [2] }),
    );

    expect(new Set(denied)).toEqual(new Set([refuse]));
    expect(answerTo(program, { number: 199, arch: audit.arm64, values: [1] })).toBe(allow);
    expect(answerTo(program, { number: 220, arch: audit.arm64, values: [0x10000011] })).toBe(
      refuse,
    );
  });

  test("always answers, and a stricter one never allows more", () => {
    const call = tuple(nat({ max: 500 }), nat({ max: 0x7fffffff }), nat({ max: 0x7fffffff }));

    assert(
      property(call, ([number, first, second]) => {
        const answers = [shared, offline, online].map((filter) => filter(number, first, second));
        expect([allow, refuse, "ENOSYS"]).toEqual(expect.arrayContaining(answers));
        const [strictest, strict, open] = answers;
        const opens = number !== 426 && strictest === allow && strict !== allow;
        expect(opens || (strict === allow && open !== allow)).toBe(false);
      }),
    );
  });

  test("there is none for another processor", () => {
    expect(() => seccompProgram({ sockets: "none", arch: "mips" })).toThrow(
      expect.objectContaining({ code: "UNAVAILABLE" }),
    );
  });
});

/** From the kernel's headers: each call, its number on x64, and on arm64 if it exists there. */
const refusedCalls = `
  ptrace 101 117, process_vm_readv 310 270, process_vm_writev 311 271, kcmp 312 272,
  bpf 321 280, perf_event_open 298 241, userfaultfd 323 282,
  pivot_root 155 41, chroot 161 51, mount 165 40, umount2 166 39, unshare 272 97, setns 308 268,
  add_key 248 217, request_key 249 218, keyctl 250 219,
  kexec_load 246 104, kexec_file_load 320 294, open_by_handle_at 304 265, reboot 169 142,
  swapon 167 224, swapoff 168 225, acct 163 89, syslog 103 116,
  init_module 175 105, finit_module 313 273, delete_module 176 106, iopl 172, ioperm 173,
  settimeofday 164 170, clock_settime 227 112, quotactl 179 60,
  io_uring_setup 425 425, io_uring_register 427 427, open_tree 428 428, move_mount 429 429,
  fsopen 430 430, fsconfig 431 431, fsmount 432 432, fspick 433 433, mount_setattr 442 442,
  pidfd_getfd 438 438, process_madvise 440 440, process_mrelease 448 448`
  .split(",")
  .map((call) => call.trim().split(" "));

describe.each([
  { arch: "x64", at: 1 },
  { arch: "arm64", at: 2 },
] as const)("on $arch every program is refused", ({ arch, at }) => {
  const calls = refusedCalls.filter((call) => call[at] !== undefined);

  test.for(calls)("%s", (call) => {
    for (const sockets of ["none", "internet"] as const) {
      for (const sharesProcesses of [false, true]) {
        const program = seccompProgram({ sockets, sharesProcesses, arch });
        const answer = answerTo(program, { number: Number(call[at]), arch: audit[arch] });
        expect(answer).toBe(refuse);
      }
    }
  });
});
