import { type PluginCapabilities, readCapabilities } from '@sluice/contracts';
import { HttpError, validationEntry } from '@sluice/service-kit';

/** The capabilities of a request in the form that is kept. Throws 422 with every problem. */
export function takeCapabilities(given: unknown): PluginCapabilities {
  const read = readCapabilities(given);
  if (read.ok) return read.capabilities;
  throw new HttpError(422, read.problems.map(({ path, msg, input }) =>
    validationEntry('body', ['capabilities', ...path], 'value_error', msg, input)));
}
