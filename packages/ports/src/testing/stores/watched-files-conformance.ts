import { WatchedFileChanged, type WatchedFiles } from '../../sources/watched-files';

/** A place that a test writes to. Names come back as they were put. */
export interface WatchedFilesLab {
  put(name: string, content: string | Buffer): Promise<void>;
  remove(name: string): Promise<void>;
  /** A new look at the place, as the next run makes it. */
  open(): Promise<WatchedFiles>;
  end(): Promise<void>;
}

/** What every place of watched files does. `make` gives an empty one. */
export function watchedFilesConformance(name: string, make: () => Promise<WatchedFilesLab>): void {
  describe(`${name}: watched files`, () => {
    let lab: WatchedFilesLab;
    const going = new AbortController().signal;
    beforeEach(async () => {
      lab = await make();
    });
    afterEach(() => lab.end());

    const look = async <T>(work: (files: WatchedFiles) => Promise<T>): Promise<T> => {
      const files = await lab.open();
      try {
        return await work(files);
      } finally {
        await files.close();
      }
    };
    const names = (most = 100) => look((files) => files.names(most, going));
    /** The file as a look finds it. */
    const found = <T>(file: string, work: (found: NonNullable<Awaited<ReturnType<WatchedFiles['file']>>>) => Promise<T>) =>
      look(async (files) => {
        await files.names(100, going);
        const one = await files.file(file);
        if (one === null) throw new Error(`no file ${file}`);
        try {
          return await work(one);
        } finally {
          await one.close();
        }
      });
    const contentOf = async (chunks: AsyncIterable<Uint8Array>): Promise<Buffer> => {
      const all: Uint8Array[] = [];
      for await (const chunk of chunks) all.push(chunk);
      return Buffer.concat(all);
    };

    it('names files in the order of their bytes, without hidden ones, at most so many', async () => {
      expect(await names()).toEqual([]);
      for (const file of ['b.csv', 'a.csv', '.hidden.csv', 'ä.csv', 'Z.csv']) await lab.put(file, 'id\n1\n');
      expect(await names()).toEqual(['Z.csv', 'a.csv', 'b.csv', 'ä.csv']);
      expect(await names(2)).toEqual(['Z.csv', 'a.csv']);
    });

    it('gives the content from its beginning with each reading, and its size', async () => {
      const content = Buffer.alloc(300_000, 'id,name\n');
      await lab.put('a.csv', content);
      await found('a.csv', async (file) => {
        expect(file.bytes).toBe(content.length);
        for (const _ of [1, 2]) expect((await contentOf(file.read(going))).equals(content)).toBe(true);
      });
      await lab.put('empty.csv', '');
      expect(await found('empty.csv', async (file) => (await contentOf(file.read(going))).length)).toBe(0);
    });

    it('has the same state while a file is not written, and another one for another content', async () => {
      const state = () => found('a.csv', async (file) => file.state);
      await lab.put('a.csv', 'id\n1\n');
      const before = await state();
      expect(await state()).toBe(before);
      await lab.put('a.csv', 'id\n2\n');
      expect(await state()).not.toBe(before);
    });

    it('refuses to read what changed, or went away, since the look', async () => {
      for (const change of [() => lab.put('a.csv', 'id\n2222222\n'), () => lab.remove('a.csv')]) {
        await lab.put('a.csv', 'id\n1\n');
        await found('a.csv', async (file) => {
          await change();
          await expect(contentOf(file.read(going))).rejects.toThrow(WatchedFileChanged);
        });
      }
    });

    it('ends a reading with its signal', async () => {
      await lab.put('a.csv', Buffer.alloc(3_000_000, 'x'));
      const ended = new AbortController();
      await found('a.csv', async (file) => {
        const read = async (): Promise<void> => {
          for await (const _ of file.read(ended.signal)) ended.abort(new Error('the run has ended'));
        };
        await expect(read()).rejects.toThrow('the run has ended');
      });
    });

    it('has no file of a name that is not there', async () => {
      expect(await look(async (files) => {
        await files.names(100, going);
        return files.file('none.csv');
      })).toBeNull();
    });
  });
}
