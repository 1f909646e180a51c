import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';

/** The one place where API newer than the types may be declared; it does not exist before something needs it. */
const declarationFile = 'editor/newerApi.d.ts';

const root = path.resolve(import.meta.dirname, '../..');
const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((file) => file.split(path.sep).join('/'))
  .filter((file) => /\.tsx?$/.test(file) && file !== declarationFile)
  .map((file) => ({ file, text: readFileSync(path.join(root, 'src', file), 'utf8') }));

/** The VS Code under test enables every proposed API, so only the compiler can tell: these would get past it. */
const waysAround: readonly [name: string, pattern: RegExp][] = [
  ['casts the vscode namespace', /\bvscode(\.\w+)?\s+as\s/],
  ['augments the vscode module', /declare\s+module\s+['"]vscode['"]/],
  ['switches a type check off', /@ts-(ignore|nocheck|expect-error)/],
];

describe('Only stable API is used:', () => {
  for (const [name, pattern] of waysAround) {
    it(`no source file ${name}`, () => {
      assert.deepEqual(
        sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file),
        [],
      );
    });
  }

  it('the sources compile against the types of the oldest supported VS Code', () => {
    const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      engines: { vscode: string };
      devDependencies: Record<string, string>;
    };
    assert.equal(manifest.engines.vscode, `^${manifest.devDependencies['@types/vscode'] ?? ''}`);
  });
});

/** What has one home, and which. */
const homes: readonly [what: string, pattern: RegExp, home: readonly string[]][] = [
  ['getConfiguration', /\.getConfiguration\(/, ['editor/serverSettings.ts', 'editor/settingsReader.ts', 'editor/workspace/runSettings.ts']],
  ['registerCommand', /\.registerCommand\(/, ['views/commandTable.ts']],
  // Whatever else opened an address would lose what its escapes stand for.
  ['openExternal', /env\.openExternal\(/, ['editor/systemBrowser.ts']],
  ['showErrorMessage', /\.showErrorMessage\(/, ['views/errorReporter.ts']],
  [
    'postMessage',
    /\.postMessage\(/,
    // The two ends of the link to a page, of a thread, of a page's thread, and of an app's frames.
    [
      'platform/processes/jobThread.ts',
      'views/pages/webviewLink.ts',
      'webview/chat/apps/appShell.ts',
      'webview/chat/apps/relayFrame.ts',
      'webview/markdown/pageThread.ts',
      'webview/markdown/textThread.ts',
      'webview/shared/hostLink.ts',
    ],
  ],
];

describe('One home each:', () => {
  for (const [what, pattern, home] of homes) {
    it(`${what} is called only in ${home.join(' and ')}`, () => {
      assert.deepEqual(
        sources
          .filter(({ text }) => pattern.test(text))
          .map(({ file }) => file)
          .sort(),
        home,
      );
    });
  }
});
