import { type Dirent, promises as fs } from 'node:fs';
import * as path from 'node:path';
import { hasCode, messageOf } from '../../base/errors.ts';
import { openInPlace } from './openInPlace.ts';

/** Where projects keep skills: the folders that agents of several makers look into. */
export const skillPlaces = ['.agents/skills', '.claude/skills', '.github/skills'] as const;
/** The file that makes a folder a skill. */
export const skillManifest = 'SKILL.md';
/** The most skills that are looked at in each of these places. */
const maxSkills = 30;
/** The limits of one skill; `depth` counts folders within it. */
const maxOf = { files: 50, bytes: 200_000, depth: 4 } as const;

export interface FolderOfSkill {
  /** The path from the root, with forward slashes. */
  readonly path: string;
  readonly name: string;
  /** All files, `SKILL.md` first, by their paths within the skill. */
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[];
}

export interface SkillFilesOptions {
  readonly root: string;
  /** Whether a file may be read, by its path from the root. */
  readonly isShown: (path: string) => boolean;
  /** Called for each skill that cannot be read whole and is left out. */
  readonly onLeftOut: (path: string, reason: string) => void;
}

/**
 * Reads the skills in one folder of the workspace. Links to folders are not followed, and a file counts only if what was opened lies
 * within the root, wherever its name leads later.
 */
export async function readSkillFiles({ root: given, isShown, onLeftOut }: SkillFilesOptions): Promise<readonly FolderOfSkill[]> {
  const root = await fs.realpath(given).catch(() => undefined);
  const skills: FolderOfSkill[] = [];
  for (const place of root === undefined ? [] : skillPlaces) {
    for (const name of await skillNames(root ?? '', place)) {
      const at = `${place}/${name}`;
      try {
        const files = await new SkillReader(root ?? '', at, isShown).read();
        skills.push(...(files === undefined ? [] : [{ path: at, name, files }]));
      } catch (error) {
        onLeftOut(at, messageOf(error));
      }
    }
  }
  return skills;
}

async function skillNames(root: string, place: string): Promise<readonly string[]> {
  const entries = await entriesOf(root, path.join(root, ...place.split('/'))).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .slice(0, maxSkills);
}

/** What is in a folder, sorted; nothing when it is not there, is a link or lies behind one. */
async function entriesOf(root: string, folder: string): Promise<readonly Dirent[]> {
  try {
    if ((await fs.realpath(folder)) !== folder || !isInside(root, folder)) {
      return [];
    }
    const entries = await fs.readdir(folder, { withFileTypes: true });
    return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) {
      return [];
    }
    throw error;
  }
}

function isInside(root: string, place: string): boolean {
  return place.startsWith(root.endsWith(path.sep) ? root : root + path.sep);
}

class SkillReader {
  readonly #root: string;
  readonly #at: string;
  readonly #folder: string;
  readonly #isShown: (path: string) => boolean;
  readonly #files: { readonly path: string; readonly bytes: Uint8Array }[] = [];
  #bytes = 0;

  constructor(root: string, at: string, isShown: (path: string) => boolean) {
    this.#root = root;
    this.#at = at;
    this.#folder = path.join(root, ...at.split('/'));
    this.#isShown = isShown;
  }

  /**
   * Reads the files of a skill; a folder without `SKILL.md` gives undefined. Rejects when there are too many files or they are
   * too large.
   */
  async read(): Promise<FolderOfSkill['files'] | undefined> {
    await this.#readFile(skillManifest);
    if (this.#files.length === 0) {
      return undefined;
    }
    await this.#readFolder('', 0);
    return this.#files;
  }

  async #readFolder(within: string, depth: number): Promise<void> {
    for (const entry of await entriesOf(this.#root, path.join(this.#folder, within))) {
      const name = within === '' ? entry.name : `${within}/${entry.name}`;
      if (entry.isDirectory()) {
        if (depth >= maxOf.depth) {
          throw new Error(`its folders are more than ${maxOf.depth} deep`);
        }
        await this.#readFolder(name, depth + 1);
      } else if (name !== skillManifest) {
        await this.#readFile(name);
      }
    }
  }

  async #readFile(name: string): Promise<void> {
    const opened = await openInPlace(path.join(this.#folder, name)).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT') || hasCode(error, 'ELOOP')) {
        return undefined;
      }
      throw error;
    });
    if (opened === undefined) {
      return;
    }
    const { handle, stats, realPath } = opened;
    try {
      if (!stats.isFile() || !this.#mayRead(name, realPath)) {
        return;
      }
      this.#bytes += Number(stats.size);
      if (this.#files.length >= maxOf.files || this.#bytes > maxOf.bytes) {
        throw new Error(`it has more than ${maxOf.files} files, or more than ${maxOf.bytes} bytes in them`);
      }
      const bytes = Buffer.alloc(Number(stats.size));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
      this.#files.push({ path: name, bytes: bytes.subarray(0, bytesRead) });
    } finally {
      await handle.close();
    }
  }

  /** Where a link leads counts too: nothing outside the root is read, and no withheld file by another name. */
  #mayRead(name: string, realPath: string): boolean {
    const real = path.relative(this.#root, realPath).split(path.sep).join('/');
    return isInside(this.#root, realPath) && this.#isShown(`${this.#at}/${name}`) && this.#isShown(real);
  }
}
