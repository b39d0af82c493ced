import { type BlobStore, BlobStoreUnavailable } from '@sluice/ports';
import { createMemoryBlobStore, until } from '@sluice/ports/testing';
import { type LabEvent, order, runnerLab, shopConfig } from '../test-support/runner-lab';

interface Read {
  resolve(bytes: Buffer): void;
  reject(error: Error): void;
}

/** Reads that end when the test lets them. */
function hangingBlobs(): { blobs: BlobStore; reads: Read[] } {
  const reads: Read[] = [];
  const get: BlobStore['get'] = () => new Promise((resolve, reject) => reads.push({ resolve, reject }));
  return { reads, blobs: { ...createMemoryBlobStore(), get } };
}

const onItsOwnLane = (n: number): LabEvent => ({ ...order(`evt_${n}`, `N${n}`, `c${n}`), record: ['order', `N${n}`] });

test('a payload whose read hangs delays no other event; its own event uses up no attempt and completes', async () => {
  const { blobs, reads } = hangingBlobs();
  const lab = await runnerLab(shopConfig, {}, { blobs });
  try {
    await lab.addRunner();
    const large = onItsOwnLane(0);
    await lab.send([{ ...large, payloadRef: { key: 'large', bytes: 300_000 } }]);
    await until('the read hangs', () => reads.length === 1);

    const others = [1, 2, 3, 4, 5].map(onItsOwnLane);
    await lab.send(others);
    await until('the others end', () => lab.rows().length === others.length);
    expect(lab.rows().map(({ status }) => status)).toEqual(others.map(() => 'completed'));

    reads.shift()!.reject(new BlobStoreUnavailable('no answer in time'));
    const waits = (): boolean => lab.store.held().some(({ reason, attempts }) => reason === 'blob_unavailable' && attempts === 0);
    await until('it waits', waits);
    await until('it is tried again', () => reads.length === 1);
    reads.shift()!.resolve(Buffer.from(JSON.stringify(large.payload)));
    await until('it ends', () => lab.rows().length === others.length + 1);
    expect(lab.rows().find(({ unit }) => unit.eventId === large.id)).toMatchObject({ status: 'completed', attempts: 1 });
  } finally {
    for (const read of reads) read.reject(new BlobStoreUnavailable('the test ends'));
    await lab.stop();
  }
});
