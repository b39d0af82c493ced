import { seccompFilter, syscallTables } from './seccomp-filter';

const actions = { kill: 0x8000_0000, refuse: 0x0005_0001, allow: 0x7fff_0000 };

/** What the kernel does with a call: runs the filter over `struct seccomp_data`. */
function judge(filter: Buffer, call: { number: number; audit: number }): number {
  let accumulator = 0;
  for (let index = 0; ; index += 1) {
    const at = index * 8;
    const [code, value] = [filter.readUInt16LE(at), filter.readUInt32LE(at + 4)];
    const [ifTrue, ifFalse] = [filter[at + 2]!, filter[at + 3]!];
    if (code === 0x06) return value;
    if (code === 0x20) accumulator = value === 0 ? call.number : call.audit;
    else if (code === 0x15) index += accumulator === value ? ifTrue : ifFalse;
    else throw new Error(`instruction ${code}`);
  }
}

/** Numbers of calls that reach beyond the process. */
const dangerous = {
  x64: {
    open: 2, openat: 257, socket: 41, connect: 42, sendmsg: 46, clone: 56, clone3: 435, fork: 57, vfork: 58, execve: 59,
    execveat: 322, kill: 62, tgkill: 234, ptrace: 101, process_vm_readv: 310, pidfd_open: 434, mount: 165, unlink: 87,
    setuid: 105, io_uring_setup: 425, memfd_create: 319, bpf: 321, seccomp: 317, prctl: 157, setrlimit: 160, prlimit64: 302,
    userfaultfd: 323,
  },
  arm64: {
    openat: 56, socket: 198, connect: 203, sendmsg: 211, clone: 220, clone3: 435, execve: 221, execveat: 281, kill: 129,
    tgkill: 131, ptrace: 117, process_vm_readv: 270, pidfd_open: 434, mount: 40, unlinkat: 35, setuid: 146, io_uring_setup: 425,
    memfd_create: 279, bpf: 280, seccomp: 277, prctl: 167, prlimit64: 261,
  },
} as const;

describe.each(['x64', 'arm64'] as const)('the filter of system calls on %s', (architecture) => {
  const table = syscallTables[architecture]!;
  const filter = seccompFilter(table);

  it.each(Object.entries(dangerous[architecture]))('refuses %s', (_, number) => {
    expect(judge(filter, { number, audit: table.audit })).toBe(actions.refuse);
  });

  it('allows what is in the table, and ends a call of another architecture', () => {
    for (const number of table.allowed) expect(judge(filter, { number, audit: table.audit })).toBe(actions.allow);
    expect(judge(filter, { number: table.allowed[0]!, audit: 0x4000_0003 })).toBe(actions.kill);
    expect(new Set(table.allowed).size).toBe(table.allowed.length);
    // A jump has one byte.
    expect(table.allowed.length).toBeLessThan(255);
  });
});
