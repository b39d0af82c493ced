/** What a profile counts: time on the CPU, or bytes of objects, collected ones included. */
export type ProfileKind = 'cpu' | 'allocations';

/** Where profiles of services go, and what they count. */
export interface Profiling {
  folder: string;
  kind: ProfileKind;
}

/** The ends of the files' names, as Chromium's developer tools want them. */
export const profileSuffix: Readonly<Record<ProfileKind, string>> = { cpu: 'cpuprofile', allocations: 'heapprofile' };

/** Environment of a service with `preload.js`, which takes the profiles. */
export const profilingEnv = ({ folder, kind }: Profiling): Record<string, string> => ({
  SLUICE_BENCH_PROFILES: folder, SLUICE_BENCH_PROFILE_KIND: kind,
});
