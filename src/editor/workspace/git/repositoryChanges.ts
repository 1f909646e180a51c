import { lstat, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { secretMark } from '../../../secrets/secretMarks.ts';
import type { GitQuery, GitStatus } from '../../../server/seen/ports/workspacePort.ts';
import { diskReader } from '../search/searchEngine.ts';
import type { GitProgram } from './gitProgram.ts';

/** One changed file, with paths relative to the repository's root. */
export interface GitFileChange {
  readonly file: string;
  readonly oldFile?: string | undefined;
  readonly status: GitStatus;
}

const statuses: Readonly<Record<string, GitStatus>> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'typeChanged',
  U: 'conflicted',
};

const diffOptions = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--find-renames',
  '--ignore-submodules=dirty',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];

/** The most bytes of a new file whose text is shown as a change. */
const maxUntrackedBytes = 256 * 1024;
/** The most bytes of a change, with the file around it, in which secrets are looked for; a larger one is not shown. */
const maxRedactedBytes = 4 * 1024 * 1024;
const unread = `[not shown: this change, with the file around it, is larger than ${maxRedactedBytes / 1024 / 1024} MiB]\n`;

/** The changes of one repository. */
export class RepositoryChanges {
  readonly #git: GitProgram;
  readonly #root: string;
  readonly #against: readonly string[];

  private constructor(git: GitProgram, root: string, against: readonly string[]) {
    this.#git = git;
    this.#root = root;
    this.#against = against;
  }

  static async open(git: GitProgram, root: string, staged: GitQuery['staged']): Promise<RepositoryChanges> {
    if (staged === false) {
      return new RepositoryChanges(git, root, []);
    }
    const head = await git.run(root, ['rev-parse', '--verify', '--quiet', 'HEAD'], 1_000);
    // Before the first commit everything is compared with nothing.
    const base = head.exitCode === 0 ? 'HEAD' : (await git.text(root, ['hash-object', '-t', 'tree', '--stdin'])).trim();
    return new RepositoryChanges(git, root, staged === true ? ['--cached', base] : [base]);
  }

  async list(withUntracked: boolean): Promise<GitFileChange[]> {
    const names = await this.#git.text(this.#root, ['diff', ...diffOptions, '--name-status', '-z', ...this.#against, '--']);
    const tracked = parseNameStatus(names);
    if (!withUntracked) {
      return tracked;
    }
    const others = await this.#git.text(this.#root, ['ls-files', '--others', '--exclude-standard', '-z']);
    const untracked = others.split('\0').filter((file) => file !== '' && !file.endsWith('/'));
    return [...tracked, ...untracked.map((file): GitFileChange => ({ file, status: 'untracked' }))];
  }

  /** The diff of one change, at most `maxBytes` of it. */
  async diff({ file, oldFile, status }: GitFileChange, maxBytes: number): Promise<{ readonly text: string; readonly isCut: boolean }> {
    if (status === 'untracked') {
      return cut(await this.#asNewFile(file), maxBytes);
    }
    const files = oldFile === undefined ? [file] : [oldFile, file];
    const { output, isCut } = await this.#git.run(this.#root, ['diff', ...diffOptions, ...this.#against, '--', ...files], maxBytes);
    return { text: isCut ? wholeLines(output.toString()) : output.toString(), isCut };
  }

  /** The diff of a file without what `redact` takes away, which gets the whole text: a hunk alone may show the middle of a secret. */
  async redactedDiff(
    change: GitFileChange,
    maxBytes: number,
    redact: (text: string) => Promise<string>,
  ): Promise<{ readonly text: string; readonly isCut: boolean }> {
    if (change.status === 'untracked') {
      return cut(await redact(await this.#asNewFile(change.file)), maxBytes);
    }
    const { text, isCut } = await this.diff(change, maxBytes);
    const files = change.oldFile === undefined ? [change.file] : [change.oldFile, change.file];
    const whole = ['diff', ...diffOptions, '--unified=1000000', ...this.#against, '--', ...files];
    const { output, isCut: isTooLong } = await this.#git.run(this.#root, whole, maxRedactedBytes);
    if (isTooLong) {
      return { text: unread, isCut: false }; // what is withheld cannot be recognised in a part of it
    }
    const all = output.toString();
    return { text: await redact(withoutLines(text, changedLines(all, await redact(all)))), isCut };
  }

  /** Counts the lines that came and went, for these changes alone. */
  async countLines(changes: readonly GitFileChange[]): Promise<Map<GitFileChange, LineCounts>> {
    const counts = new Map<GitFileChange, LineCounts>();
    const tracked = changes.filter(({ status }) => status !== 'untracked');
    for (const batch of inBatches(tracked)) {
      const files = batch.flatMap(({ file, oldFile }) => (oldFile === undefined ? [file] : [oldFile, file]));
      const output = await this.#git.text(this.#root, ['diff', ...diffOptions, '--numstat', '-z', ...this.#against, '--', ...files]);
      const known = parseNumstat(output);
      for (const change of batch) {
        counts.set(change, known.get(change.file) ?? {});
      }
    }
    for (const change of changes.filter(({ status }) => status === 'untracked')) {
      const text = await this.#newText(change.file);
      counts.set(change, text === undefined ? {} : countNewLines(text));
    }
    return counts;
  }

  /** The text of a new file; `undefined` for one that is no text, too large, or a link. */
  #newText(file: string): Promise<string | undefined> {
    return diskReader(this.#root)
      .readText(file, maxUntrackedBytes)
      .catch(() => undefined);
  }

  /** The diff of a new file as Git would show it once it is added. */
  async #asNewFile(file: string): Promise<string> {
    const head = `diff --git a/${file} b/${file}\nnew file mode 100644\n`;
    const stats = await lstat(join(this.#root, file)).catch(() => undefined);
    if (stats?.isSymbolicLink() === true) {
      const target = await readlink(join(this.#root, file));
      return `${head.replace('100644', '120000')}--- /dev/null\n+++ b/${file}\n@@ -0,0 +1 @@\n+${target}\n\\ No newline at end of file\n`;
    }
    if ((stats?.size ?? 0) > maxUntrackedBytes) {
      return `${head}A new file of ${stats?.size ?? 0} bytes; its text is left out here, read_file shows it.\n`;
    }
    const text = await this.#newText(file);
    if (text === undefined) {
      return `${head}Binary files /dev/null and b/${file} differ\n`;
    }
    const lines = text.split('\n');
    const isTerminated = lines.at(-1) === '';
    const shown = isTerminated ? lines.slice(0, -1) : lines;
    const body = shown.map((line) => `+${line}\n`).join('');
    const count = shown.length === 0 ? '' : `--- /dev/null\n+++ b/${file}\n@@ -0,0 +1,${shown.length} @@\n`;
    return `${head}${count}${body}${isTerminated || shown.length === 0 ? '' : '\\ No newline at end of file\n'}`;
  }
}

/** The most characters of file names on one command line; Windows allows 32,767 for the whole line. */
const maxNameCharacters = 20_000;

function inBatches(changes: readonly GitFileChange[]): GitFileChange[][] {
  const batches: GitFileChange[][] = [];
  let room = 0;
  for (const change of changes) {
    const size = change.file.length + (change.oldFile?.length ?? 0) + 2;
    room -= size;
    if (room < 0) {
      batches.push([]);
      room = maxNameCharacters - size;
    }
    batches.at(-1)?.push(change);
  }
  return batches;
}

/** The lines of the whole diff that are not shown as they are, without the sign in front. */
function changedLines(whole: string, redacted: string): ReadonlySet<string> {
  if (redacted === whole) {
    return new Set();
  }
  const shown = redacted.split('\n');
  return new Set(
    whole
      .split('\n')
      .filter((line, index) => line !== shown[index])
      .map((line) => line.slice(1)),
  );
}

/** A diff without these lines, and without the line of the file that Git repeats beside the numbers of a hunk. */
function withoutLines(diff: string, secret: ReadonlySet<string>): string {
  return secret.size === 0
    ? diff
    : diff
        .split('\n')
        .map((line) => (secret.has(line.slice(1)) ? `${line.slice(0, 1)}${secretMark}` : line.replace(/^(@@ [^@]*@@).*/, '$1')))
        .join('\n');
}

function cut(text: string, maxBytes: number): { readonly text: string; readonly isCut: boolean } {
  return text.length > maxBytes ? { text: wholeLines(text.slice(0, maxBytes)), isCut: true } : { text, isCut: false };
}

/** The text without its last, cut line, which may end in half a secret that would not be recognised. */
function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

/** Reads the output of `--name-status -z`: `M\0file\0` and `R100\0old\0new\0`. A file in conflict comes twice. */
export function parseNameStatus(output: string): GitFileChange[] {
  const fields = output.split('\0');
  const changes = new Map<string, GitFileChange>();
  for (let index = 0; index + 1 < fields.length;) {
    const letter = fields[index]?.[0] ?? '';
    const status = statuses[letter] ?? 'modified';
    const first = fields[index + 1] ?? '';
    const isPair = letter === 'R' || letter === 'C';
    const change = isPair ? { file: fields[index + 2] ?? '', oldFile: first, status } : { file: first, status };
    if (changes.get(change.file)?.status !== 'conflicted') {
      changes.set(change.file, change);
    }
    index += isPair ? 3 : 2;
  }
  return [...changes.values()];
}

/** How many lines came and went; neither is told for a file that is no text. */
interface LineCounts {
  readonly addedLines?: number;
  readonly removedLines?: number;
}

/** Reads the output of `--numstat -z`, by file: `1\t2\tfile\0`, for a rename `1\t2\t\0old\0new\0`, for a binary file `-\t-\t…`. */
function parseNumstat(output: string): Map<string, LineCounts> {
  const fields = output.split('\0');
  const counts = new Map<string, LineCounts>();
  for (let index = 0; index + 1 < fields.length; index += 1) {
    const [added = '', removed = '', name = ''] = fields[index]?.split('\t') ?? [];
    let file = name;
    if (name === '') {
      file = fields[index + 2] ?? '';
      index += 2;
    }
    counts.set(file, added === '-' ? {} : { addedLines: Number(added), removedLines: Number(removed) });
  }
  return counts;
}

/** The counts of a new file, as Git would count them. */
function countNewLines(text: string): LineCounts {
  const breaks = text.split('\n').length - 1;
  return { addedLines: text === '' || text.endsWith('\n') ? breaks : breaks + 1, removedLines: 0 };
}
