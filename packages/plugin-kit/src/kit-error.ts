/** Something in the folder of a plugin that its author has to change. The message is complete: no stack is needed. */
export class KitError extends Error {
  override name = 'KitError';
}
