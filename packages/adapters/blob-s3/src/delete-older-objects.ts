import type { BoundedSend } from './bounded-send';

/** The store has times in seconds, rounded down. */
const clockStepMs = 1_000;

/** What is deleted, and how many entries one listing shows. */
export interface OlderObjects {
  bucket: string;
  folder: string;
  before: Date;
  pageSize: number;
}

/**
 * Deletes the objects below a folder that were last put before a time, a page of the listing after another, and returns how many.
 * An object of that same second is left for the next run. The store cannot compare and delete atomically: an object that is put
 * again between the listing of a page and its deletion is deleted. Uploads that began before that time are given up: nobody
 * sees their parts, and the store keeps and charges them.
 */
export async function deleteOlderObjects(older: OlderObjects, send: BoundedSend): Promise<number> {
  const { bucket, folder, pageSize } = older;
  const list = (from: string | undefined) =>
    send((sdk, client, call) =>
      client.send(
        new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix: `${folder}/`, ContinuationToken: from, MaxKeys: pageSize }),
        call,
      ),
    );
  const remove = (keys: string[]) =>
    send(async (sdk, client, call) => {
      const Delete = { Objects: keys.map((Key) => ({ Key })), Quiet: true };
      const { Errors = [] } = await client.send(new sdk.DeleteObjectsCommand({ Bucket: bucket, Delete }), call);
      if (Errors[0]) throw Object.assign(new Error('not deleted'), { name: Errors[0].Code ?? 'not deleted' });
    });
  let deleted = 0;
  let from: string | undefined;
  do {
    const page = await list(from);
    const old = (page.Contents ?? []).filter(({ LastModified }) => isOlder(LastModified, older)).flatMap(({ Key }) => Key ?? []);
    if (old.length > 0) await remove(old);
    deleted += old.length;
    from = page.NextContinuationToken;
  } while (from !== undefined);
  await giveUpUploads(older, send);
  return deleted;
}

async function giveUpUploads(older: OlderObjects, send: BoundedSend): Promise<void> {
  const { bucket: Bucket, folder, pageSize: MaxUploads } = older;
  const list = (from: { KeyMarker?: string; UploadIdMarker?: string }) => {
    const listing = { Bucket, Prefix: `${folder}/`, MaxUploads, ...from };
    return send((sdk, client, call) => client.send(new sdk.ListMultipartUploadsCommand(listing), call));
  };
  let page = await list({});
  for (;;) {
    const old = (page.Uploads ?? []).filter(({ Initiated }) => isOlder(Initiated, older));
    for (const { Key, UploadId } of old)
      await send((sdk, client, call) => client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }), call));
    const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
    if (!page.IsTruncated || KeyMarker === undefined) return;
    page = await list({ KeyMarker, ...(UploadIdMarker !== undefined && { UploadIdMarker }) });
  }
}

const isOlder = (time: Date | undefined, { before }: OlderObjects): boolean =>
  time !== undefined && time.getTime() + clockStepMs <= before.getTime();
