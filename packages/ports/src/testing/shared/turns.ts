/** Waits some turns of the event loop, in which coalescers, settler and activity continue. */
export async function turns(count = 4): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise<void>((resolve) => { setImmediate(resolve); });
}
