/** Changes of the tree that happen together or not at all. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StepError } from './steps.mjs';

/**
 * Collects new files and edits below a folder. Nothing is written before `write`, so an edit that finds no place leaves the tree as it
 * was; a write that fails is undone.
 */
export class ChangeSet {
  /** Content by path: null where there was no file. */
  #before = new Map();
  #after = new Map();

  /** @param {string} base the root of the tree */
  constructor(base) {
    this.base = base;
  }

  /** The content as it will be; null: there is no such file. */
  read(path) {
    if (this.#after.has(path)) return this.#after.get(path);
    const file = join(this.base, path);
    return existsSync(file) ? readFileSync(file, 'utf8') : null;
  }

  /** Adds a file. @throws StepError when there is one */
  create(path, content) {
    if (this.read(path) !== null) throw new StepError(`${path} exists already.`);
    this.#set(path, content);
  }

  /**
   * Changes a file.
   * @param {(source: string) => string} change
   * @throws StepError that names the file when it does not fit
   */
  edit(path, change) {
    const source = this.read(path);
    if (source === null) throw new StepError(`${path} is missing.`);
    try {
      this.#set(path, change(source));
    } catch (error) {
      if (!(error instanceof StepError)) throw error;
      throw new StepError(`${path} cannot be changed: ${error.message}. Nothing was written.`);
    }
  }

  /** Writes everything. @returns {string[]} paths made or changed */
  write() {
    const done = [];
    try {
      for (const [path, content] of this.#after) {
        done.push(path);
        mkdirSync(dirname(join(this.base, path)), { recursive: true });
        writeFileSync(join(this.base, path), content);
      }
    } catch (error) {
      for (const path of done) this.#undo(path);
      throw error;
    }
    return [...this.#after.keys()];
  }

  #set(path, content) {
    if (!this.#before.has(path)) this.#before.set(path, this.read(path));
    this.#after.set(path, content);
  }

  #undo(path) {
    const content = this.#before.get(path);
    if (content === null) rmSync(join(this.base, path), { force: true });
    else writeFileSync(join(this.base, path), content);
  }
}
