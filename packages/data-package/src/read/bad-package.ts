/** The archive is no package that this version reads, or is not what its manifest says. The message is for who has it. */
export class BadPackage extends Error {
  override name = 'BadPackage';
}
