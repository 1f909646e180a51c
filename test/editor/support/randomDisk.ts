import assert from 'node:assert/strict';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { until, workspacePath } from './duplex.ts';

export const folder = 'src/atRandom';
export const count = 5;

/** How long, in ms, VS Code may take to read a file anew before it is edited; it now and then misses a change for good. */
const readMs = 5_000;

/** What one file says. Each thing it can say has a line of its own, so that places stay the same. */
export interface Module {
  readonly nonce: number;
  readonly type: 'number' | 'string';
  readonly imports?: number | undefined;
  readonly isBroken: boolean;
  /** Between the two steps of a write a file is empty. */
  readonly isEmpty?: boolean;
}

export type World = readonly (Module | undefined)[];

export function textOf({ nonce, type, imports, isBroken, isEmpty = false }: Module): string {
  const lines = [
    `// nonce${nonce}`,
    `export const v: ${type} = ${type === 'number' ? '1' : "'x'"};`,
    imports === undefined ? '//' : `import { v as w } from './m${imports}';`,
    imports === undefined ? '//' : 'export const used: number = w;',
    isBroken ? "export const own: number = 'no';" : '//',
    `export function atRandom${nonce}() {}`,
  ];
  return isEmpty ? '' : `${lines.join('\n')}\n`;
}

/** The codes of the errors that the TypeScript compiler finds in a file. */
export function errorsOf(index: number, world: World): string[] {
  const own = world[index];
  if (own === undefined || own.isEmpty === true) {
    return [];
  }
  const other = own.imports === undefined ? undefined : world[own.imports];
  const ofImport =
    own.imports === undefined
      ? []
      : other === undefined
        ? ['2307']
        : other.isEmpty === true
          ? ['2306']
          : other.type === 'string'
            ? ['2322']
            : [];
  return [...ofImport, ...(own.isBroken ? ['2322'] : [])].sort();
}

interface Moment {
  readonly world: World;
  readonly from: number;
  to: number;
}

/** Changes files at random, on the disk and in the editor, and knows what was true when. */
export class RandomDisk {
  readonly #random: () => number;
  readonly #moments: Moment[] = [{ world: Array.from({ length: count }, () => undefined), from: 0, to: Infinity }];
  readonly #dirty = new Set<number>();
  #nonce = 0;
  readonly log: string[] = [];

  constructor(random: () => number) {
    this.#random = random;
  }

  get now(): World {
    return this.#moments.at(-1)?.world ?? [];
  }

  /** What was true at some moment between the two. */
  between(from: number, to: number): World[] {
    return this.#moments.filter((moment) => moment.from <= to && moment.to >= from).map(({ world }) => world);
  }

  choose(most: number): number {
    return Math.floor(this.#random() * most);
  }

  async change(): Promise<void> {
    const index = this.choose(count);
    if (this.#dirty.has(index)) {
      return this.#save(index);
    }
    const kinds = ['write', 'write', 'write', 'replace', 'replace', 'remove', 'rename', 'edit'] as const;
    const kind = kinds[this.choose(kinds.length)] ?? 'write';
    this.log.push(`${kind} m${index}`);
    switch (kind) {
      case 'write':
        return this.#write(index);
      case 'replace':
        return this.#replace(index);
      case 'remove':
        return this.#become({ [index]: undefined }, () => rm(fileOf(index), { force: true }));
      case 'rename':
        return this.#rename(index, (index + 1 + this.choose(count - 1)) % count);
      case 'edit':
        return this.#edit(index);
    }
  }

  #make(index: number): Module {
    this.#nonce += 1;
    const other = (index + 1 + this.choose(count - 1)) % count;
    return {
      nonce: this.#nonce,
      type: this.choose(3) === 0 ? 'string' : 'number',
      imports: this.choose(3) === 0 ? undefined : other,
      isBroken: this.choose(4) === 0,
    };
  }

  async #write(index: number): Promise<void> {
    const module = this.#make(index);
    await mkdir(workspacePath(folder), { recursive: true });
    const begun = performance.now();
    this.#add({ [index]: { ...module, isEmpty: true } }, begun);
    this.#add({ [index]: module }, begun);
    await writeFile(fileOf(index), textOf(module));
    this.#end(begun);
  }

  async #replace(index: number): Promise<void> {
    const module = this.#make(index);
    const draft = workspacePath('.atRandom');
    await writeFile(draft, textOf(module));
    await this.#become({ [index]: module }, () => rename(draft, fileOf(index)));
  }

  async #rename(index: number, to: number): Promise<void> {
    const moved = this.now[index];
    if (moved === undefined || this.#dirty.has(to)) {
      return this.#write(index);
    }
    return this.#become({ [index]: undefined, [to]: moved }, () => rename(fileOf(index), fileOf(to)));
  }

  /** An unsaved change, of a file that VS Code has read as it is. */
  async #edit(index: number): Promise<void> {
    const known = this.now[index];
    if (known === undefined) {
      return this.#write(index);
    }
    const uri = vscode.Uri.file(fileOf(index));
    const patience = performance.now() + readMs;
    const document = await until('VS Code to read the file', async () => {
      const opened = await vscode.workspace.openTextDocument(uri);
      return opened.getText() === textOf(known) || performance.now() > patience ? opened : undefined;
    });
    if (document.getText() !== textOf(known)) {
      return this.#write(index);
    }
    await vscode.window.showTextDocument(document, { preview: false });
    const module = this.#make(index);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, document.validateRange(new vscode.Range(0, 0, 1_000, 0)), textOf(module));
    await this.#become({ [index]: module }, async () => assert.ok(await vscode.workspace.applyEdit(edit)));
    this.#dirty.add(index);
  }

  async #save(index: number): Promise<void> {
    this.log.push(`save m${index}`);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(fileOf(index)));
    // VS Code does not save over a file of which it heard late that it changed: its text stays unsaved then.
    if (await document.save()) {
      this.#dirty.delete(index);
    }
  }

  async #become(files: Readonly<Record<number, Module | undefined>>, work: () => Promise<unknown>): Promise<void> {
    await mkdir(workspacePath(folder), { recursive: true });
    const begun = performance.now();
    this.#add(files, begun);
    await work();
    this.#end(begun);
  }

  #add(files: Readonly<Record<number, Module | undefined>>, from: number): void {
    const world = this.now.map((module, index) => (index in files ? files[index] : module));
    this.#moments.push({ world, from, to: Infinity });
  }

  /** Everything before the last moment is over. */
  #end(begun: number): void {
    const over = performance.now();
    for (const moment of this.#moments.slice(0, -1)) {
      moment.to = moment.to === Infinity ? Math.max(over, begun) : moment.to;
    }
  }
}

export function fileOf(index: number): string {
  return workspacePath(folder, `m${index}.ts`);
}
