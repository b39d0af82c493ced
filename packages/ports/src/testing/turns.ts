/** Lets everything run that may run now: coalescers, settler and activity go on in turns of the event loop. */
export async function turns(count = 4): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise<void>((resolve) => { setImmediate(resolve); });
}
