import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { LookingClient } from './mcpClient.ts';
import { count, errorsOf, fileOf, folder, type Module, type World, textOf } from './randomDisk.ts';

/** What a client was told: something that can be compared with the truth, or that it is not known. */
type Told = { readonly kind: 'said'; readonly isTrue: (world: World) => boolean; readonly what: unknown } | { readonly kind: 'unknown' };

interface Asked {
  readonly client: LookingClient;
  readonly index: number;
  readonly path: string;
}

type Ask = (asked: Asked) => Promise<Told>;

const unknown: Told = { kind: 'unknown' };
/** How a tool says that it does not know; the service of a busy machine may be late. */
const isUnknown = /changed on the disk|did not answer in time/;

function said(what: unknown, isTrue: (world: World) => boolean): Told {
  return { kind: 'said', what, isTrue };
}

/** A call about one file: what it says if the file is there, and that it fails if not. */
async function about(
  call: Promise<Record<string, unknown>>,
  index: number,
  judge: (answer: Record<string, unknown>) => Told,
): Promise<Told> {
  try {
    return judge(await call);
  } catch (error) {
    const message = String(error);
    if (/There is no|not found/i.test(message)) {
      return said('absent', (world) => world[index] === undefined);
    }
    if (isUnknown.test(message)) {
      return unknown;
    }
    throw error;
  }
}

const has = (world: World, index: number, isRight: (module: Module) => boolean): boolean => {
  const module = world[index];
  return module !== undefined && isRight(module);
};

interface Entry {
  readonly path: string;
  readonly code?: string;
}

function codesOf(entries: readonly Entry[], path: string): string[] {
  return entries
    .filter((entry) => entry.path === path)
    .map(({ code = '' }) => code)
    .sort();
}

const indexes = Array.from({ length: count }, (_, index) => index);
const pathOf = (index: number): string => `${folder}/m${index}.ts`;

function tabs(): Set<string> {
  const inputs = vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ input }) => input));
  return new Set(inputs.flatMap((input) => (input instanceof vscode.TabInputText ? [input.uri.fsPath] : [])));
}

/** Compares file by file: what goes through many files sees each of them at a moment of its own. */
interface ByFile {
  readonly kind: 'byFile';
  readonly what: unknown;
  readonly isTrue: (world: World, index: number) => boolean;
}

const linesOf = (locations: unknown): string[] =>
  (locations as { path: string; range: { start: { line: number } } }[]).map(({ path, range }) => `${path}:${range.start.line}`).sort();

const single: Readonly<Record<string, Ask>> = {
  read_file: ({ client, index, path }) =>
    about(client.call('read_file', { path }), index, ({ text }) =>
      said(text, (world) => has(world, index, (module) => textOf(module) === text)),
    ),
  resource: ({ client, index }) =>
    about(
      client.readText(vscode.Uri.file(fileOf(index)).toString()).then((text) => ({ text })),
      index,
      ({ text }) => said(text, (world) => has(world, index, (module) => textOf(module) === text)),
    ),
  get_diagnostics: ({ client, index, path }) =>
    about(client.call('get_diagnostics', { path, severity: 'error', waitMs: 5_000 }), index, ({ diagnostics, settled, note }) => {
      const codes = codesOf(diagnostics as Entry[], path);
      assert.ok(settled === true || typeof note === 'string', 'what is not settled says why');
      return settled === true
        ? said(codes, (world) => world[index] !== undefined && isDeepStrictEqual(errorsOf(index, world), codes))
        : unknown;
    }),
  'get_diagnostics of all': async ({ client }) => {
    const before = tabs();
    const { diagnostics, settled } = await client.call('get_diagnostics', { severity: 'error', waitMs: 5_000 });
    const shown = indexes.filter((index) => before.has(fileOf(index)) && tabs().has(fileOf(index)));
    const codes = indexes.map((index) => codesOf(diagnostics as Entry[], pathOf(index)));
    const isRight = (world: World, index: number): boolean =>
      (codes[index]?.length === 0 && !shown.includes(index)) || isDeepStrictEqual(errorsOf(index, world), codes[index]);
    return settled === true ? said({ codes, shown }, (world) => indexes.every((index) => isRight(world, index))) : unknown;
  },
  get_document_symbols: ({ client, index, path }) =>
    about(client.call('get_document_symbols', { path }), index, ({ symbols }) => {
      const names = (symbols as { name: string }[]).map(({ name }) => name).sort();
      return said(names, (world) => has(world, index, (module) => isDeepStrictEqual(namesIn(module), names)));
    }),
  read_symbol: ({ client, index, path }) =>
    about(client.call('read_symbol', { path, symbol: 'v' }), index, ({ text }) =>
      said(text, (world) => has(world, index, (module) => textOf(module).split('\n').slice(0, 2).join('\n') === text)),
    ).catch((error: unknown) =>
      /has no symbol|no outline|symbol/i.test(String(error))
        ? said('none', (world) => has(world, index, ({ isEmpty }) => isEmpty === true))
        : Promise.reject(error as Error),
    ),
  get_hover: ({ client, index, path }) =>
    about(client.call('get_hover', { path, line: 2, character: 14 }), index, ({ contents }) =>
      said(contents, (world) =>
        has(world, index, ({ type, isEmpty }) => (isEmpty === true ? contents === '' : String(contents).includes(`const v: ${type}`))),
      ),
    ),
  go_to_definition: ({ client, index, path }) =>
    about(client.call('go_to_definition', { path, line: 4, character: 29 }), index, ({ locations }) => {
      const lines = linesOf(locations);
      return said(lines, (world) =>
        has(world, index, (module) => definitionsOf(module, index, world).some((each) => isDeepStrictEqual(each, lines))),
      );
    }),
  find_references: ({ client, index, path }) =>
    about(client.call('find_references', { path, line: 2, character: 14 }), index, ({ locations }) => {
      const lines = [...new Set(linesOf(locations).filter((line) => !line.endsWith(':4')))];
      return said(lines, (world) => has(world, index, (module) => isDeepStrictEqual(referencesOf(module, index, world), lines)));
    }),
};

function namesIn({ nonce, imports, isBroken, isEmpty = false }: Module): string[] {
  return isEmpty ? [] : [`atRandom${nonce}`, ...(isBroken ? ['own'] : []), ...(imports === undefined ? [] : ['used']), 'v'].sort();
}

function definitionsOf({ imports, isEmpty = false }: Module, index: number, world: World): string[][] {
  const other = imports === undefined ? undefined : world[imports];
  if (isEmpty || imports === undefined) {
    return [[]];
  }
  return other === undefined || other.isEmpty === true
    ? [[], [`${pathOf(index)}:3`], [`${pathOf(imports)}:1`]]
    : [[`${pathOf(imports)}:2`]];
}

function referencesOf({ isEmpty = false }: Module, index: number, world: World): string[] {
  const importers = indexes.filter((each) => has(world, each, (module) => module.imports === index && module.isEmpty !== true));
  return isEmpty ? [] : [`${pathOf(index)}:2`, ...importers.map((each) => `${pathOf(each)}:3`)].sort();
}

type AskAll = (client: LookingClient) => Promise<ByFile | Told>;

const isThere = (world: World, index: number): boolean => world[index] !== undefined;

const whole: Readonly<Record<string, AskAll>> = {
  search_text: async (client) => {
    const { matches } = await client.call('search_text', { query: '// nonce[0-9]+', isRegex: true, include: `${folder}/**` });
    const found = matches as { path: string; preview: string }[];
    const of = (index: number): string | undefined => found.find(({ path }) => path === pathOf(index))?.preview;
    const expected = (module: Module | undefined): string | undefined =>
      module === undefined || module.isEmpty === true ? undefined : `// nonce${module.nonce}`;
    return { kind: 'byFile', what: found, isTrue: (world, index) => of(index) === expected(world[index]) };
  },
  find_files: async (client) => {
    const { files } = await client.call('find_files', { pattern: `${folder}/*.ts` });
    return { kind: 'byFile', what: files, isTrue: (world, index) => (files as string[]).includes(pathOf(index)) === isThere(world, index) };
  },
  list_directory: async (client) => {
    const { entries } = await client.call('list_directory', { path: folder });
    const paths = (entries as { path: string }[]).map(({ path }) => path);
    return { kind: 'byFile', what: paths, isTrue: (world, index) => paths.includes(pathOf(index)) === isThere(world, index) };
  },
  search_symbols: async (client) => {
    try {
      const { symbols } = await client.call('search_symbols', { query: 'atRandom' });
      const names = (symbols as { name: string; path: string }[]).map(({ name, path }) => `${path} ${name.replace('()', '')}`);
      const of = (index: number): string[] => names.filter((name) => name.startsWith(`${pathOf(index)} `));
      const expected = (module: Module | undefined, index: number): string[] =>
        module === undefined || module.isEmpty === true ? [] : [`${pathOf(index)} atRandom${module.nonce}`];
      return { kind: 'byFile', what: names, isTrue: (world, index) => isDeepStrictEqual(of(index), expected(world[index], index)) };
    } catch (error) {
      if (!isUnknown.test(String(error))) {
        throw error;
      }
      return unknown;
    }
  },
};

export const questionNames: readonly string[] = [...Object.keys(single), ...Object.keys(whole)];

export async function askAtRandom(client: LookingClient, name: string, index: number): Promise<Told | ByFile> {
  const ask = single[name];
  if (ask !== undefined) {
    return ask({ client, index, path: pathOf(index) });
  }
  return (await whole[name]?.(client)) ?? unknown;
}

/** Whether what was told was true at one of these moments. */
export function wasTrue(told: Told | ByFile, worlds: readonly World[]): boolean {
  switch (told.kind) {
    case 'unknown':
      return true;
    case 'said':
      return worlds.some((world) => told.isTrue(world));
    case 'byFile':
      return indexes.every((index) => worlds.some((world) => told.isTrue(world, index)));
  }
}
