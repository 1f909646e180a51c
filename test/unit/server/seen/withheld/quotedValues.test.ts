import assert from 'node:assert/strict';
import { QuotedValues } from '../../../../../src/server/seen/withheld/quotedValues.ts';
import { createVisibility, type Visibility } from '../../../../../src/server/seen/withheld/visibility.ts';
import { noGrants, type ClientGrants } from '../../../../../src/server/seen/viewer.ts';
import { withholding } from '../../../../../src/server/seen/withheld/editorViews.ts';
import type { DiagnosticEntry, EditorPort } from '../../../../../src/server/seen/ports/editorPort.ts';
import type { SymbolNode } from '../../../../../src/server/seen/ports/languagePort.ts';
import type { TextQuery } from '../../../../../src/server/seen/ports/workspacePort.ts';
import { diagnosticAt, FakeEditor } from '../../support/fakePorts.ts';
import { longestBlock, ownTime } from '../../../../support/longestBlock.ts';

const { signal } = new AbortController();
const settings = '{ "name": "demo", "password": "Json4711pass" }';

interface Asked {
  readonly values: QuotedValues;
  /** What was searched for, and which files were read. */
  readonly searched: readonly string[];
  readonly read: readonly string[];
}

function visibilityFor(grants: ClientGrants): Visibility {
  const folders = [{ name: 'demo', path: '/demo', uri: 'file:///demo', index: 0 }];
  return createVisibility({ folders: () => folders, neverShown: [], grants });
}

/** Files by their paths. A search finds what stands in their texts as they are shown, as the real one does. */
function valuesOf(files: Readonly<Record<string, string>>, grants: ClientGrants = noGrants): Asked {
  const visibility = visibilityFor(grants);
  const editor = new FakeEditor();
  const searched: string[] = [];
  const read: string[] = [];
  editor.documents.read = (path) => {
    read.push(path);
    return Promise.resolve({ path, uri: `file:///demo/${path}`, text: files[path] ?? '', languageId: '', version: 'v', isDirty: false });
  };
  editor.workspace.searchText = async ({ query, redact }: TextQuery) => {
    searched.push(query);
    const shown = await Promise.all(Object.values(files).map(async (text) => redact?.(text) ?? text));
    const found = Object.keys(files).filter((path, index) => !path.startsWith('.env') && new RegExp(query, 'u').test(shown[index] ?? ''));
    return { matches: found.map((path) => ({ path, line: 1, character: 1, endCharacter: 2, preview: files[path] ?? '' })) };
  };
  return { values: new QuotedValues(editor, visibility), searched, read };
}

describe('What language services quote', () => {
  const files = { '.env.ts': "export const pass = 'Env4711pass';", 'modes.ts': "export const mode = 'shown-4711-mode';", 'main.ts': 'x' };
  const hoverOf = (value: string): string => `\n\`\`\`typescript\nconst alias: "${value}"\n\`\`\`\nSays "${value}".`;

  it('is masked where it is a value that stands in no shown text: as a type in a hover, in a message, in a title', async () => {
    const { values } = valuesOf(files);
    const hovers = ['Env4711pass', 'shown-4711-mode', 'short1'].map(hoverOf);
    assert.deepEqual(await values.mask(hovers, { path: 'main.ts', isMarkdown: true }, signal), [
      hoverOf('Env4711pass').replace('"Env4711pass"', '"[redacted]"'),
      ...hovers.slice(1),
    ]);
    const messages = [
      `Type '"Env4711pass"' is not assignable to type '"shown-4711-mode"'.`,
      "Literal['Env4711pass'] is no `Env4711pass`",
      `Property 'addItem' does not exist on type '{ a: "Env4711pass"; b: number }'.`,
    ];
    assert.deepEqual(await values.mask(messages, { path: 'main.ts' }, signal), [
      `Type '"[redacted]"' is not assignable to type '"shown-4711-mode"'.`,
      "Literal['[redacted]'] is no `[redacted]`",
      `Property 'addItem' does not exist on type '{ a: "[redacted]"; b: number }'.`,
    ]);
  });

  it('is masked where it is a secret of the file itself, quoted or not, and nothing else is', async () => {
    const { values } = valuesOf({ 'settings.json': settings });
    const about = { path: 'settings.json' };
    assert.deepEqual(await values.mask(['Json4711pass is wrong', 'demo is right'], about, signal), [
      '[redacted] is wrong',
      'demo is right',
    ]);
  });

  it('is left out of the outline where a secret stands in a symbol', async () => {
    const { values } = valuesOf({ 'settings.json': settings });
    const symbol = (name: string, from: number, to: number, detail: string): SymbolNode => {
      const range = { start: { line: 1, character: from }, end: { line: 1, character: to } };
      return { name, kind: 'string', range, selectionRange: range, detail, children: [] };
    };
    const outline = [symbol('name', 3, 17, 'demo'), symbol('password', 19, 45, 'Json4711pass'), symbol('Json4711pass', 3, 17, '')];
    const masked = await values.maskSymbols(outline, 'settings.json', signal);
    assert.deepEqual(
      masked.map(({ name, detail }) => [name, detail]),
      [
        ['name', 'demo'],
        ['password', ''],
        ['[redacted]', ''],
      ],
    );
  });

  it('is masked in what is said of many files where it is a secret of the one meant, quoted or not, in words or as a code', async () => {
    const { values, read } = valuesOf({ 'settings.json': settings, 'other.json': '{ "token": "Other-4711-token" }', 'gone.png': '' });
    const said = (path: string, message: string, code?: string): DiagnosticEntry => {
      const place = { line: 1, character: 1 };
      return { path, range: { start: place, end: place }, severity: 'error', message, ...(code !== undefined && { code }) };
    };
    const entries = [
      said('other.json', 'Other-4711-token looks like a credential'),
      said('settings.json', 'Json4711pass looks like a credential', 'found/Json4711pass'),
      said('settings.json', 'demo is no word', 'no-word'),
      said('gone.png', 'Other-4711-word is no word'),
    ];
    assert.deepEqual(await values.maskDiagnostics(entries, signal), [
      said('other.json', '[redacted] looks like a credential'),
      said('settings.json', '[redacted] looks like a credential', 'found/[redacted]'),
      ...entries.slice(2),
    ]);
    assert.deepEqual(read, ['other.json', 'settings.json', 'gone.png'], 'each file once');
  });

  it('is looked up once for many answers', async () => {
    const { values, searched } = valuesOf(files);
    const message = `Type '"Env4711pass"' is wrong.`;
    const about = { path: 'main.ts' };
    const twice = [...(await values.mask([message], about, signal)), ...(await values.mask([message], about, signal))];
    assert.deepEqual([twice, searched], [Array(2).fill(`Type '"[redacted]"' is wrong.`), ['Env4711pass']]);
  });

  it('is shown to a client that may see secrets', async () => {
    const { values } = valuesOf(files, { ...noGrants, sensitive: true });
    const text = hoverOf('Env4711pass');
    assert.deepEqual(await values.mask([text], { path: 'main.ts', isMarkdown: true }, signal), [text]);
  });

  it('lets others run while a page is masked that speaks of hundreds of files', async () => {
    const text = `${'const shown = 1;\n'.repeat(2_000)}const password = 'Own-4711-pass';\n`;
    const paths = Array.from({ length: 500 }, (_, index) => `src/f${index}.ts`);
    const { values } = valuesOf(Object.fromEntries(paths.map((path) => [path, text])));
    const { range } = diagnosticAt(1);
    const entries = paths.map((path) => ({ path, range, severity: 'error' as const, message: 'Own-4711-pass is weak' }));
    let masked: readonly DiagnosticEntry[] = [];
    const begun = performance.now();
    const blocked = await longestBlock(async () => void (masked = await values.maskDiagnostics(entries, signal)));
    const took = performance.now() - begun;
    assert.deepEqual([...new Set(masked.map(({ message }) => message))], ['[redacted] is weak']);
    // In one go others wait for all of it; a busy machine may stand still for a while by itself.
    assert.ok(blocked < took / 2, `others waited for ${Math.round(blocked)} of ${Math.round(took)} ms`);
  });

  it('takes bounded time in a text that is made to be slow', async () => {
    const { values } = valuesOf({ 'main.ts': '' });
    const slow = ['"\\"'.repeat(200_000), "'a".repeat(200_000), '```"'.repeat(100_000)];
    const elapsed = await ownTime(() => values.mask(slow, { path: 'main.ts' }, signal));
    assert.ok(elapsed < 5_000, `${elapsed} ms`);
  });
});

describe('The diagnostics of a workspace', () => {
  it('are masked by what stands in their files, asked for by file or not, and none are told before it was looked there', async () => {
    const secret = 'hunter2hunter2';
    const editor = new FakeEditor();
    const seen = (grants: Partial<ClientGrants> = {}): EditorPort => withholding(editor, visibilityFor({ ...noGrants, ...grants }));
    const said = { ...diagnosticAt(1), path: 'a.txt', message: `${secret} looks like a credential`, code: `found-${secret}` };
    const masked = { ...said, message: '[redacted] looks like a credential', code: 'found-[redacted]' };
    editor.documents.files.set('a.txt', { text: `password=${secret}` });
    editor.diagnostics = [said];
    editor.knowsAtOnce = true;
    const check = { files: ['a.txt'], timeMs: 1, skip: 0, limit: 9 };
    const answers = async (grants: Partial<ClientGrants>): Promise<unknown[]> => [
      (await seen(grants).getDiagnostics({ waitMs: 0 }, signal)).diagnostics,
      (await seen(grants).getDiagnostics({ waitMs: 0, path: 'a.txt' }, signal)).diagnostics,
      (await seen(grants).checkFiles(check, signal)).diagnostics,
      seen(grants).knownDiagnostics({})?.diagnostics,
    ];
    assert.deepEqual(await answers({}), [[masked], [masked], [masked], undefined]);
    assert.deepEqual(await answers({ sensitive: true }), Array(4).fill([said]));
    editor.diagnostics = [];
    assert.deepEqual(seen().knownDiagnostics({})?.diagnostics, [], 'there is nothing to look for');
  });
});
