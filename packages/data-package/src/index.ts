export { linesOf, UnreadableLine } from './lines-of';
export { maskConfig, maskedValue, maskStored } from './mask-secrets';
export { BadPackage } from './read/bad-package';
export { packageLines } from './read/package-lines';
export { type PackageBounds, PackageReader, usualBounds } from './read/package-reader';
export { type VerifiedFile, verifyPackage } from './read/verify-package';
export { type PackageToWrite, type WrittenPackage, writePackage } from './write/write-package';
