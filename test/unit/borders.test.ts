import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { borders, type Border } from './borderTable.ts';

const src = path.resolve(import.meta.dirname, '../../src');
const tests = path.resolve(import.meta.dirname, '..');

/** Tests that run in a window with the whole extension. */
const testsOfTheWhole = ['editor/', 'ui/', 'bench/'];

describe('The borders between rooms', () => {
  it('hold in every file', () => {
    assert.deepEqual(
      sourceFiles().flatMap((file) => violations(file, readFileSync(path.join(src, file), 'utf8'))),
      [],
    );
  });

  it('are written down for every room, and for no room that is gone', () => {
    const files = sourceFiles();
    const rooms = new Set(files.map((file) => file.split('/')[0] ?? ''));
    assert.deepEqual(
      [...rooms].filter((room) => !Object.hasOwn(borders, room)),
      [],
    );
    const named = Object.entries(borders).flatMap(([room, { ours, typesOf = [] }]) => [room, ...ours, ...typesOf]);
    assert.deepEqual(
      [...new Set(named)].filter((room) => !files.some((file) => file === room || file.startsWith(`${room}/`))),
      [],
    );
  });

  it('are such that no test needs the composition root to reach another room', () => {
    const files = filesIn(tests).filter((file) => !testsOfTheWhole.some((folder) => file.startsWith(folder)));
    assert.deepEqual(
      files.filter((file) => importsApp(path.join(tests, file), readFileSync(path.join(tests, file), 'utf8'))),
      [],
    );
  });

  it('see a test that imports the composition root', () => {
    const file = path.join(tests, 'unit/host/support.ts');
    assert.deepEqual(
      ["import { x } from '../../../src/app/app.ts';", "import { x } from '../../../src/host/app/x.ts';"].map((text) =>
        importsApp(file, text),
      ),
      [true, false],
    );
  });

  const planted: readonly (readonly [what: string, file: string, text: string, violation: string | undefined])[] = [
    ['a room above', 'base/log.ts', "import { x } from '../host/hostRegistry.ts';", 'base/log.ts imports ../host/hostRegistry.ts'],
    ['a package of another room', 'chat/history.ts', "import * as vscode from 'vscode';", 'chat/history.ts imports vscode'],
    ['a built-in module where none is allowed', 'contract/settings.ts', "import 'node:fs';", 'contract/settings.ts imports node:fs'],
    [
      'a room when it is loaded on first use',
      'host/hostRegistry.ts',
      "await import('../server/embeddedServer.ts');",
      'host/hostRegistry.ts imports ../server/embeddedServer.ts',
    ],
    ['a re-export', 'host/hostRegistry.ts', "export { x } from '../chat/history.ts';", 'host/hostRegistry.ts imports ../chat/history.ts'],
    [
      "the type of another room's value",
      'host/hostRegistry.ts',
      "type X = typeof import('../server/embeddedServer.ts');",
      'host/hostRegistry.ts imports ../server/embeddedServer.ts',
    ],
    [
      'a floor above within the server',
      'server/offer/editorCatalog.ts',
      "import { x } from '../protocol/requests/revisions.ts';",
      'server/offer/editorCatalog.ts imports ../protocol/requests/revisions.ts',
    ],
    [
      'the wire from the protocol',
      'server/protocol/sessionDirectory.ts',
      "import type { x } from '../wire/endpoints.ts';",
      'server/protocol/sessionDirectory.ts imports ../wire/endpoints.ts',
    ],
    [
      'an era from what both share',
      'server/protocol/requests/inFlight.ts',
      "import type { x } from '../legacy/session.ts';",
      'server/protocol/requests/inFlight.ts imports ../legacy/session.ts',
    ],
    [
      'one era from the other',
      'server/protocol/modern/listening.ts',
      "import type { x } from '../legacy/session.ts';",
      'server/protocol/modern/listening.ts imports ../legacy/session.ts',
    ],
    [
      'a turn from the conversation within the chat',
      'chat/conversation/history.ts',
      "import type { x } from '../turn/chatSession.ts';",
      'chat/conversation/history.ts imports ../turn/chatSession.ts',
    ],
    [
      'who may from what is seen',
      'server/seen/viewer.ts',
      "import { x } from '../access/roles.ts';",
      'server/seen/viewer.ts imports ../access/roles.ts',
    ],
    [
      'the entry from within the server',
      'server/wire/endpoints.ts',
      "import { x } from '../embeddedServer.ts';",
      'server/wire/endpoints.ts imports ../embeddedServer.ts',
    ],
    [
      'a transport from oauth',
      'server/oauth/pages.ts',
      "import { x } from '../wire/transports/httpSse.ts';",
      'server/oauth/pages.ts imports ../wire/transports/httpSse.ts',
    ],
    [
      'a value of a room below from the editor',
      'editor/windowUse.ts',
      "import { x } from '../testRuns/runStore.ts';",
      'editor/windowUse.ts imports ../testRuns/runStore.ts',
    ],
    [
      'a type among values of a room below from the editor',
      'editor/windowUse.ts',
      "import { type X } from '../testRuns/runStore.ts';",
      'editor/windowUse.ts imports ../testRuns/runStore.ts',
    ],
    [
      'a port above from within the editor',
      'editor/documents/fileText.ts',
      "import { x } from '../acting/targets.ts';",
      'editor/documents/fileText.ts imports ../acting/targets.ts',
    ],
    [
      'nothing: a type of a room below from the editor',
      'editor/windowUse.ts',
      "import type { X } from '../testRuns/runStore.ts';",
      undefined,
    ],
    ['nothing: a neighbour', 'server/oauth/pages.ts', "import { x } from '../wire/http/incoming.ts';", undefined],
  ];
  for (const [what, file, text, violation] of planted) {
    it(`see ${what}`, () => {
      assert.deepEqual(violations(file, text), violation === undefined ? [] : [violation]);
    });
  }
});

function sourceFiles(): string[] {
  return filesIn(src);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => /\.(?:tsx?|mjs)$/.test(file));
}

const imports = /(?:^|\s)(?:import|export)\s+(type\s)?[^'";]*?from\s*'([^']+)'|import\(\s*'([^']+)'|^import\s+'([^']+)'/gm;

function importsApp(file: string, text: string): boolean {
  return [...text.matchAll(imports)].some((match) => {
    const target = path.relative(src, path.resolve(path.dirname(file), specifierOf(match)));
    return target.split(path.sep)[0] === 'app';
  });
}

function specifierOf(match: RegExpExecArray): string {
  return match[2] ?? match[3] ?? match[4] ?? '';
}

function violations(file: string, text: string): string[] {
  const room = roomOf(file);
  const border = borders[room];
  return [...text.matchAll(imports)].flatMap((match) => {
    const specifier = specifierOf(match);
    const isAllowed =
      border !== undefined &&
      (specifier.startsWith('.') ? isOurs(file, specifier, room, border, match[1] !== undefined) : isOutside(specifier, border));
    return isAllowed ? [] : [`${file} imports ${specifier}`];
  });
}

/** The longest name of the table that begins the path. */
function roomOf(file: string): string {
  const names = Object.keys(borders).filter((name) => file === name || file.startsWith(`${name}/`));
  return names.sort((one, other) => other.length - one.length)[0] ?? '';
}

function isOurs(file: string, specifier: string, room: string, border: Border, isType: boolean): boolean {
  const target = path.posix.join(path.posix.dirname(file), specifier);
  const isOpen = (names: readonly string[]): boolean => names.some((name) => target === name || target.startsWith(`${name}/`));
  return roomOf(target) === room || isOpen(border.ours) || (isType && isOpen(border.typesOf ?? []));
}

function isOutside(specifier: string, border: Border): boolean {
  return border.outside.some((allowed) =>
    allowed === 'node:' ? specifier.startsWith('node:') : specifier === allowed || specifier.startsWith(`${allowed}/`),
  );
}
