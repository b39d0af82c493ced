/** The system calls of one architecture that a child may make, by their numbers. */
export interface SyscallTable {
  /** AUDIT_ARCH_*: what the kernel calls the architecture. */
  audit: number;
  /** The number of seccomp(2) itself, which is not allowed afterwards. */
  seccomp: number;
  allowed: readonly number[];
}

/**
 * Only what a running process needs to compute, to wait, and to talk over descriptors that are open already: memory, time,
 * signals of its own, and reading and writing. No path, no socket, no process, no other process's memory.
 */
export const syscallTables: Readonly<Record<string, SyscallTable | undefined>> = {
  x64: {
    audit: 0xc000_003e,
    seccomp: 317,
    allowed: [
      0, 1, 3, 5, 7, 9, 10, 11, 12, 13, 14, 15, // read write close fstat poll mmap mprotect munmap brk, signals
      19, 20, 24, 25, 28, 35, 39, 48, 60, // readv writev sched_yield mremap madvise nanosleep getpid shutdown exit
      72, 96, 98, 131, 186, 201, 202, 204, 219, // fcntl gettimeofday getrusage sigaltstack gettid time futex sched_getaffinity
      228, 229, 230, 231, 232, 233, 281, // clocks, exit_group, epoll
      318, 324, 334, 441, // getrandom membarrier rseq epoll_pwait2
    ],
  },
  arm64: {
    audit: 0xc000_00b7,
    seccomp: 277,
    allowed: [
      63, 64, 65, 66, 57, 73, 222, 226, 215, 214, 216, 233, // read write readv writev close ppoll, memory
      134, 135, 139, 132, 124, 101, 115, 172, 178, 93, 94, // signals, yield, sleep, ids, exit
      25, 80, 98, 99, 113, 114, 123, 165, 169, 210, // fcntl fstat futex, time, affinity, usage, shutdown
      21, 22, 278, 283, 293, 128, 441, // epoll getrandom membarrier rseq restart
    ],
  },
};

const [loadWord, jumpIfEqual, answer] = [0x20, 0x15, 0x06];
const [killProcess, failWithPermission, allow] = [0x8000_0000, 0x0005_0001, 0x7fff_0000];
/** Offsets in `struct seccomp_data`. */
const [numberAt, architectureAt] = [0, 4];

/** A filter of Berkeley packet filter instructions, 8 bytes each, as seccomp(2) takes it. */
export function seccompFilter({ audit, allowed }: SyscallTable): Buffer {
  const instructions: [code: number, ifTrue: number, ifFalse: number, value: number][] = [
    [loadWord, 0, 0, architectureAt],
    // Calls by the numbers of another architecture would mean something else.
    [jumpIfEqual, 1, 0, audit],
    [answer, 0, 0, killProcess],
    [loadWord, 0, 0, numberAt],
    ...allowed.map((call, index): [number, number, number, number] => [jumpIfEqual, allowed.length - index, 0, call]),
    [answer, 0, 0, failWithPermission],
    [answer, 0, 0, allow],
  ];
  const filter = Buffer.alloc(instructions.length * 8);
  instructions.forEach(([code, ifTrue, ifFalse, value], index) => {
    filter.writeUInt16LE(code, index * 8);
    filter.writeUInt8(ifTrue, index * 8 + 2);
    filter.writeUInt8(ifFalse, index * 8 + 3);
    filter.writeUInt32LE(value, index * 8 + 4);
  });
  return filter;
}
