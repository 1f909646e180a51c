import assert from 'node:assert/strict';
import { QuotedValues } from '../../../../../src/server/seen/withheld/quotedValues.ts';
import { createVisibility } from '../../../../../src/server/seen/withheld/visibility.ts';
import { noGrants, type ClientGrants } from '../../../../../src/server/seen/viewer.ts';
import type { SymbolNode } from '../../../../../src/server/seen/ports/languagePort.ts';
import type { TextQuery } from '../../../../../src/server/seen/ports/workspacePort.ts';
import { FakeEditor } from '../../support/fakePorts.ts';
import { ownTime } from '../../../../support/longestBlock.ts';

const { signal } = new AbortController();
const settings = '{ "name": "demo", "password": "Json4711pass" }';

/** Files by their paths. A search finds what stands in their texts as they are shown, as the real one does. */
function valuesOf(files: Readonly<Record<string, string>>, grants: ClientGrants = noGrants): { values: QuotedValues; searched: string[] } {
  const folders = [{ name: 'demo', path: '/demo', uri: 'file:///demo', index: 0 }];
  const visibility = createVisibility({ folders: () => folders, neverShown: [], grants });
  const editor = new FakeEditor();
  const searched: string[] = [];
  editor.documents.read = (path) =>
    Promise.resolve({ path, uri: `file:///demo/${path}`, text: files[path] ?? '', languageId: '', version: 'v', isDirty: false });
  editor.workspace.searchText = async ({ query, redact }: TextQuery) => {
    searched.push(query);
    const shown = await Promise.all(Object.values(files).map(async (text) => redact?.(text) ?? text));
    const found = Object.keys(files).filter((path, index) => !path.startsWith('.env') && new RegExp(query, 'u').test(shown[index] ?? ''));
    return { matches: found.map((path) => ({ path, line: 1, character: 1, endCharacter: 2, preview: files[path] ?? '' })) };
  };
  return { values: new QuotedValues(editor, visibility), searched };
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
    assert.deepEqual(await values.mask(messages, {}, signal), [
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

  it('is looked up once for many answers, and is not told at once before', async () => {
    const { values, searched } = valuesOf(files);
    const message = `Type '"Env4711pass"' is wrong.`;
    assert.equal(values.maskKnown([message]), undefined);
    await values.mask([message], {}, signal);
    await values.mask([message], {}, signal);
    assert.deepEqual([values.maskKnown([message]), searched], [[`Type '"[redacted]"' is wrong.`], ['Env4711pass']]);
  });

  it('is shown to a client that may see secrets', async () => {
    const { values } = valuesOf(files, { ...noGrants, sensitive: true });
    const text = hoverOf('Env4711pass');
    assert.deepEqual(await values.mask([text], { path: 'main.ts', isMarkdown: true }, signal), [text]);
  });

  it('takes bounded time in a text that is made to be slow', async () => {
    const { values } = valuesOf({ 'main.ts': '' });
    const slow = ['"\\"'.repeat(200_000), "'a".repeat(200_000), '```"'.repeat(100_000)];
    const elapsed = await ownTime(() => values.mask(slow, { isMarkdown: false }, signal));
    assert.ok(elapsed < 5_000, `${elapsed} ms`);
  });
});
