/** Thrown by any method of a store while its database cannot be reached. The caller stops taking work and resumes by itself. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}
