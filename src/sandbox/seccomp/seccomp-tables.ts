/** Numbers of system calls by processor, from the kernel's headers. */
export interface SyscallTable {
  /** AUDIT_ARCH of the processor. */
  readonly audit: number;
  /** First call number of another calling convention; calls from here on are refused. */
  readonly foreignFrom?: number;
  readonly denied: readonly number[];
  /** Memory, semaphores and queues of System V and POSIX: refused if they are shared with the outside. */
  readonly queues: readonly number[];
  /**
   * Calls that change a process by its number, with the position of that argument: only 0, the calling process, is
   * allowed.
   */
  readonly byProcess: readonly (readonly [call: number, argument: number])[];
  readonly socket: number;
  readonly clone: number;
  readonly clone3: number;
  readonly ioctl: number;
}

/** io_uring_enter, the same on every processor. */
export const enterRing = 426;

/** The same numbers on every processor. */
const common = {
  ioUring: [425, 427],
  newMounts: [428, 429, 430, 431, 432, 433, 442],
  // pidfd_getfd takes descriptors of other processes; process_madvise and process_mrelease change their memory.
  others: [438, 440, 448],
};

/** x86_64 and arm64; others have no filter. */
export const syscallTables: ReadonlyMap<string, SyscallTable> = new Map<string, SyscallTable>([
  [
    "x64",
    {
      audit: 0xc000003e,
      foreignFrom: 0x40000000,
      denied: flat({
        ...common,
        // ptrace, process_vm_readv, process_vm_writev, kcmp
        tracing: [101, 310, 311, 312],
        // bpf, perf_event_open, userfaultfd
        kernel: [321, 298, 323],
        // pivot_root, chroot, mount, umount2, unshare, setns
        mounts: [155, 161, 165, 166, 272, 308],
        // add_key, request_key, keyctl
        keys: [248, 249, 250],
        // kexec_load, kexec_file_load, open_by_handle_at, reboot, swapon, swapoff, acct, syslog
        system: [246, 320, 304, 169, 167, 168, 163, 103],
        // init_module, finit_module, delete_module, iopl, ioperm, settimeofday, clock_settime, quotactl
        machine: [175, 313, 176, 172, 173, 164, 227, 179],
      }),
      queues: [29, 30, 31, 64, 65, 66, 67, 68, 69, 70, 71, 220, 240, 241],
      byProcess: byProcess([302, 203, 144, 142, 314, 256, 279], [141, 251]),
      socket: 41,
      clone: 56,
      clone3: 435,
      ioctl: 16,
    },
  ],
  [
    "arm64",
    {
      audit: 0xc00000b7,
      denied: flat({
        ...common,
        tracing: [117, 270, 271, 272],
        kernel: [280, 241, 282],
        mounts: [41, 51, 40, 39, 97, 268],
        keys: [217, 218, 219],
        system: [104, 294, 265, 142, 224, 225, 89, 116],
        // As above, without the ports of a PC.
        machine: [105, 273, 106, 170, 112, 60],
      }),
      queues: [180, 181, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196, 197],
      byProcess: byProcess([261, 122, 119, 118, 274, 238, 239], [140, 30]),
      socket: 198,
      clone: 220,
      clone3: 435,
      ioctl: 29,
    },
  ],
]);

function flat(families: Readonly<Record<string, readonly number[]>>): readonly number[] {
  return Object.values(families).flat();
}

/**
 * Calls that take the process number as first or second argument: prlimit64, sched_setaffinity, sched_setscheduler,
 * sched_setparam, sched_setattr, migrate_pages and move_pages take it first; setpriority and ioprio_set second.
 */
function byProcess(
  first: readonly number[],
  second: readonly number[],
): readonly (readonly [number, number])[] {
  return [...first.map((call) => [call, 0] as const), ...second.map((call) => [call, 1] as const)];
}
