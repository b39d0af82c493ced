import { closeSync, readdirSync } from 'node:fs';
import { constants } from 'node:os';
import koffi from 'koffi';
import type { ChildOptions } from './child-options';
import { seccompFilter, type SyscallTable, syscallTables } from './seccomp-filter';

/** What protects the machine from a guest that left QuickJS. */
export interface Walls {
  walls: string[];
  /** What does not hold here, with the reason. */
  missing: string[];
}

const [setNoNewPrivileges, setDumpable, setParentDeathSignal] = [38, 4, 1];
/** resource.h of Linux. */
const resources = { cpu: 0, fileSize: 1, data: 2, core: 4, processes: 6, files: 7, addressSpace: 9 } as const;
const seccomp = { setModeFilter: 1, onAllThreads: 1 } as const;
/** Nobody: the user that owns nothing. */
const nobody = 65_534;
const mebibyte = 1024 * 1024;

/** The channel to the service, after what stands for the standard streams. */
const lastOwn = 3;
const [getDescriptorFlags, closesOnExec] = [1, 1];

interface Libc {
  fcntl(descriptor: number, command: number, value: number): number;
  setpgid(process: number, group: number): number;
  prctl(option: number, value: number, third: number, fourth: number, fifth: number): number;
  setrlimit(resource: number, limits: Buffer): number;
  seccomp(call: number, mode: number, flags: number, program: { len: number; filter: Buffer }): number;
}

/**
 * Takes from this process what a guest needs least: other rights, further files, processes, connections. Each wall stands by
 * itself. To be called once, when everything is loaded: afterwards not even this process's own code can be read from the disk.
 */
export function raiseWalls(options: ChildOptions): Walls {
  const report: Walls = { walls: [], missing: [] };
  if (process.platform !== 'linux') return { walls: [], missing: [`the system is ${process.platform}, not Linux`] };
  const table = syscallTables[process.arch];
  const libc = openLibc();
  const wall = (name: string, raise: () => string | null): void => {
    const problem = raise();
    if (problem === null) report.walls.push(name);
    else report.missing.push(`${name}: ${problem}`);
  };
  wall('group', () => refusedBy(libc.setpgid(0, 0)));
  wall('descriptors', () => closeInherited(libc));
  wall('user', leaveRoot);
  wall('limits', () => setLimits(libc, options));
  wall('dumpable', () => refusedBy(libc.prctl(setDumpable, 0, 0, 0, 0)));
  wall('parent', () => refusedBy(libc.prctl(setParentDeathSignal, constants.signals.SIGKILL, 0, 0, 0)));
  wall('privileges', () => refusedBy(libc.prctl(setNoNewPrivileges, 1, 0, 0, 0)));
  wall('system calls', () => (table ? filterCalls(libc, table) : `no table of system calls for ${process.arch}`));
  return report;
}

const refusedBy = (code: number): string | null => (code === 0 ? null : `the system refused it (${code})`);

/** Closes what the service has inherited itself and passed on: all that Node has opened would close when a program is started. */
function closeInherited({ fcntl }: Libc): string | null {
  for (const name of readdirSync('/proc/self/fd')) {
    const descriptor = Number(name);
    const flags = descriptor > lastOwn ? fcntl(descriptor, getDescriptorFlags, 0) : closesOnExec;
    // -1: the listing's own, which is closed already.
    if (flags !== -1 && (flags & closesOnExec) === 0) closeSync(descriptor);
  }
  return null;
}

/** A child of root becomes nobody. Others keep their user: no user may become another one. */
function leaveRoot(): string | null {
  if (process.getuid?.() !== 0) return null;
  process.setgroups?.([]);
  process.setgid?.(nobody);
  process.setuid?.(nobody);
  return process.getuid() === nobody ? null : 'root could not be left';
}

function setLimits(libc: Libc, { memoryMb, addressSpaceMb, cpuSeconds }: ChildOptions): string | null {
  const limits: [number, number][] = [
    [resources.data, memoryMb * mebibyte], [resources.addressSpace, addressSpaceMb * mebibyte], [resources.cpu, cpuSeconds],
    [resources.fileSize, 0], [resources.core, 0], [resources.processes, 0], [resources.files, 0],
  ];
  for (const [resource, limit] of limits) {
    const both = Buffer.alloc(16);
    both.writeBigUInt64LE(BigInt(limit), 0);
    both.writeBigUInt64LE(BigInt(limit), 8);
    const code = libc.setrlimit(resource, both);
    if (code !== 0) return `limit ${resource} was refused`;
  }
  return null;
}

/** For all threads of the process, for good: calls that are not in the table fail with EPERM. */
function filterCalls(libc: Libc, table: SyscallTable): string | null {
  const filter = seccompFilter(table);
  return refusedBy(
    libc.seccomp(table.seccomp, seccomp.setModeFilter, seccomp.onAllThreads, { len: filter.length / 8, filter }),
  );
}

/** The C library that this process runs on: glibc, or musl. */
function openLibc(): Libc {
  const lib = koffi.load(null);
  koffi.struct('sock_fprog', { len: 'uint16', filter: 'void *' });
  return {
    fcntl: lib.func('int fcntl(int, int, int)'),
    setpgid: lib.func('int setpgid(int, int)'),
    prctl: lib.func('int prctl(int, unsigned long, unsigned long, unsigned long, unsigned long)'),
    setrlimit: lib.func('int setrlimit(int, void *)'),
    seccomp: lib.func('long syscall(long, unsigned long, unsigned long, const sock_fprog *)'),
  };
}
