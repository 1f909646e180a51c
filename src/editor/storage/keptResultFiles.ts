import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { Log } from '../../base/log.ts';
import type { KeptResults } from '../../chat/budget/keptResults.ts';
import type { KeptBeside } from '../../chat/store/conversationShelf.ts';
import { ownFolder, writeOwnFile } from '../../platform/files/ownFiles.ts';

/** A result that is larger is not kept. */
const maxResultBytes = 20_000_000;
/** The most bytes of all kept results of a workspace; the conversations that changed longest ago make room. */
const maxFolderBytes = 200_000_000;
const isName = /^[a-zA-Z0-9-]{1,64}$/;

/** The folder that holds the results of all workspaces, in a folder for each. */
export function keptResultsFolder(storageFolder: string): string {
  return path.join(storageFolder, 'results');
}

/** Removes and copies the kept results of conversations of any workspace, together with the conversations. */
export function keptResultsBeside(storageFolder: string, log: Log): KeptBeside {
  const during = async (folder: string, work: (files: KeptResultFiles) => Promise<void>): Promise<void> => {
    if (!isName.test(folder)) {
      return;
    }
    try {
      await work(new KeptResultFiles(path.join(keptResultsFolder(storageFolder), folder), log));
    } catch (error) {
      log.error('The long results of a conversation could not be removed or copied.', error);
    }
  };
  return {
    remove: (folder, conversationId) => during(folder, (files) => files.remove(conversationId)),
    copy: (folder, conversationId, copyId) => during(folder, (files) => files.copy(conversationId, copyId)),
  };
}

/** Long results as files that only this user can read: a folder for each conversation, in one for this workspace. */
export class KeptResultFiles implements KeptResults {
  readonly #folder: string;
  readonly #log: Log;
  readonly #maxFolderBytes: number;

  constructor(folder: string, log: Log, maxBytes = maxFolderBytes) {
    this.#folder = folder;
    this.#log = log;
    this.#maxFolderBytes = maxBytes;
  }

  async keep(conversationId: string, text: string): Promise<string | undefined> {
    if (!isName.test(conversationId) || Buffer.byteLength(text) > maxResultBytes) {
      return undefined;
    }
    const [folder, id] = [path.join(this.#folder, conversationId), randomUUID()];
    try {
      await ownFolder(folder);
      await writeOwnFile(path.join(folder, `${id}.txt`), text, 0o600);
      await this.#makeRoom(conversationId);
      return id;
    } catch (error) {
      this.#log.error('A long result could not be kept.', error);
      return undefined;
    }
  }

  async slice(conversationId: string, id: string, from: number, bytes: number): Promise<Uint8Array | undefined> {
    const file = this.#file(conversationId, id);
    const handle = file === undefined ? undefined : await fs.open(file, 'r').catch(() => undefined);
    if (handle === undefined) {
      return undefined;
    }
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(bytes, maxResultBytes)), 0, bytes, from);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  }

  async whole(conversationId: string, id: string): Promise<string | undefined> {
    const file = this.#file(conversationId, id);
    return file === undefined ? undefined : fs.readFile(file, 'utf8').catch(() => undefined);
  }

  async forget(conversationId: string, id: string): Promise<void> {
    const file = this.#file(conversationId, id);
    if (file !== undefined) {
      await fs.rm(file, { force: true }).catch((error: unknown) => this.#log.error('A kept text could not be removed.', error));
    }
  }

  async remove(conversationId: string): Promise<void> {
    if (isName.test(conversationId)) {
      await fs.rm(path.join(this.#folder, conversationId), { recursive: true, force: true });
    }
  }

  async copy(conversationId: string, copyId: string): Promise<void> {
    const from = path.join(this.#folder, conversationId);
    const names = isName.test(conversationId) && isName.test(copyId) ? await fs.readdir(from).catch(() => []) : [];
    if (names.length > 0) {
      await ownFolder(path.join(this.#folder, copyId));
      for (const name of names) {
        await fs.copyFile(path.join(from, name), path.join(this.#folder, copyId, name));
      }
      await this.#makeRoom(copyId);
    }
  }

  /** The file of a result. Names come from a model, too, and none of them may lead out of the folder. */
  #file(conversationId: string, id: string): string | undefined {
    return isName.test(conversationId) && isName.test(id) ? path.join(this.#folder, conversationId, `${id}.txt`) : undefined;
  }

  /**
   * Removes the results of conversations that had no new one for longest, until there is room; the current conversation keeps its
   * own.
   */
  async #makeRoom(current: string): Promise<void> {
    const entries = await fs.readdir(this.#folder, { withFileTypes: true });
    const folders = await Promise.all(entries.filter((entry) => entry.isDirectory()).map(({ name }) => this.#measure(name)));
    let left = folders.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { name, bytes } of folders.filter((each) => each.name !== current).sort((one, other) => one.changed - other.changed)) {
      if (left <= this.#maxFolderBytes) {
        return;
      }
      await this.remove(name);
      left -= bytes;
    }
  }

  async #measure(name: string): Promise<{ readonly name: string; readonly bytes: number; readonly changed: number }> {
    const folder = path.join(this.#folder, name);
    const files = await fs.readdir(folder).catch(() => []);
    const sizes = await Promise.all(files.map((file) => fs.stat(path.join(folder, file)).catch(() => undefined)));
    const changed = Math.max(0, ...sizes.map((each) => each?.mtimeMs ?? 0));
    return { name, bytes: sizes.reduce((sum, each) => sum + (each?.size ?? 0), 0), changed };
  }
}
