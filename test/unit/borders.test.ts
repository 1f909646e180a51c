import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';

const src = path.resolve(import.meta.dirname, '../../src');
const rooms = readdirSync(src, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const allRoomsBut = (...without: string[]): string[] => rooms.map((room) => room.name).filter((name) => !without.includes(name));

/** Room → what it may import of ours and from outside. `node:` is every built-in module. The table of the architecture, as data. */
const borders: Readonly<Record<string, { readonly ours: readonly string[]; readonly outside: readonly string[] }>> = {
  base: { ours: [], outside: [] },
  contract: { ours: ['base'], outside: ['zod'] },
  consent: { ours: ['base', 'contract'], outside: ['node:crypto', 'zod'] },
  discovery: { ours: ['base', 'contract'], outside: ['node:'] },
  testRuns: { ours: ['base', 'contract'], outside: ['node:crypto', 'zod', 'sax'] },
  chat: { ours: ['base', 'contract', 'consent'], outside: ['zod'] },
  'chat/models': { ours: ['base', 'contract', 'consent', 'chat'], outside: ['zod', '@anthropic-ai/sdk'] },
  definitions: { ours: ['base', 'contract'], outside: ['node:', 'zod', 'jsonc-parser'] },
  host: { ours: ['base', 'contract', 'consent', 'definitions'], outside: ['node:', 'zod', 'ws', '@modelcontextprotocol/client'] },
  server: {
    ours: ['base', 'contract', 'consent', 'discovery', 'testRuns'],
    outside: ['node:', 'zod', 'ws', 'picomatch', '@modelcontextprotocol/server'],
  },
  editor: {
    ours: ['base', 'contract', 'consent', 'testRuns', 'chat', 'definitions', 'host', 'server', 'supervisor'],
    outside: ['vscode', 'node:', 'ignore', 'picomatch'],
  },
  views: {
    ours: ['base', 'contract', 'consent', 'testRuns', 'chat', 'definitions', 'host', 'server', 'editor'],
    outside: ['vscode', 'node:', 'zod'],
  },
  worker: { ours: ['base', 'contract', 'testRuns'], outside: ['node:'] },
  app: { ours: allRoomsBut('webview', 'worker'), outside: ['vscode', 'node:', 'vscode-languageclient'] },
  'extension.ts': { ours: allRoomsBut('webview', 'worker'), outside: ['vscode', 'node:'] },
  webview: { ours: ['base', 'contract'], outside: ['preact', 'marked', 'highlight.js'] },
  languageServer: {
    ours: ['base', 'contract', 'definitions'],
    outside: ['node:', 'vscode-languageserver', 'vscode-languageserver-textdocument', 'jsonc-parser', 'zod'],
  },
  bridge: { ours: ['base', 'contract', 'discovery'], outside: ['node:', 'ws'] },
  supervisor: { ours: ['base', 'contract'], outside: ['node:'] },
};

describe('The borders between rooms', () => {
  it('hold in every file', () => {
    assert.deepEqual(sourceFiles().flatMap(violations), []);
  });

  it('are written down for every room', () => {
    const roomsOfFiles = new Set(sourceFiles().map((file) => file.split('/')[0]));
    assert.deepEqual(
      [...roomsOfFiles].filter((room) => room === undefined || !Object.hasOwn(borders, room)),
      [],
    );
  });
});

function sourceFiles(): string[] {
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => /\.tsx?$/.test(file));
}

function violations(file: string): string[] {
  const room = file.startsWith('chat/models/') ? 'chat/models' : (file.split('/')[0] ?? '');
  const border = borders[room];
  const text = readFileSync(path.join(src, file), 'utf8');
  const specifiers = [...text.matchAll(/(?:^|\s)(?:import|export)\s[^'";]*?from\s*'([^']+)'|import\(\s*'([^']+)'|^import\s+'([^']+)'/gm)];
  return specifiers.flatMap((match) => {
    const specifier = match[1] ?? match[2] ?? match[3] ?? '';
    return border !== undefined && isAllowed(file, specifier, border, room) ? [] : [`${file} imports ${specifier}`];
  });
}

function isAllowed(
  file: string,
  specifier: string,
  border: { ours: readonly string[]; outside: readonly string[] },
  room: string,
): boolean {
  if (specifier.startsWith('.')) {
    const target = path.posix.join(path.posix.dirname(file), specifier).split('/')[0] ?? '';
    return target === room.split('/')[0] || border.ours.includes(target);
  }
  return border.outside.some((allowed) =>
    allowed === 'node:' ? specifier.startsWith('node:') : specifier === allowed || specifier.startsWith(`${allowed}/`),
  );
}
