import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../../src/base/json.ts';
import { readFile } from '../../../../../src/server/offer/tools/readFile.ts';
import { bindTool } from '../../../../../src/server/offer/tools/tool.ts';
import type { EditorPort } from '../../../../../src/server/seen/ports/editorPort.ts';
import { redactPart, redactSecrets } from '../../../../../src/secrets/redactSecrets.ts';
import { withholding } from '../../../../../src/server/seen/withheld/editorViews.ts';
import { fakeCall } from '../../support/fakeCall.ts';
import { FakeEditor } from '../../support/fakePorts.ts';
import { visibilityWith } from '../../support/visibilityWith.ts';

interface Answer {
  readonly text: string;
  readonly totalLines: number;
  readonly nextStartLine?: number;
  readonly nextStartCharacter?: number;
  readonly note?: string;
}

describe('read_file', () => {
  const text = 'one\r\ntwo\nthree\n';
  let editor: FakeEditor;
  beforeEach(() => {
    editor = new FakeEditor();
    editor.documents.files.set('a.txt', { text, version: 'v7', isDirty: true });
  });

  const call = async (
    args: JsonObject,
    seen: EditorPort = editor,
  ): Promise<{ output: Answer; content: string; attached: readonly JsonObject[] }> => {
    const tool = bindTool(
      readFile,
      () => seen,
      (path) => [path],
    );
    const prepared = tool.prepare({ path: 'a.txt', ...args });
    assert.equal(prepared.kind, 'ready');
    const outcome = await prepared.run(fakeCall());
    assert.equal(outcome.kind, 'output');
    return { output: outcome.output as Answer, content: outcome.toText?.() ?? '', attached: outcome.attached ?? [] };
  };
  const read = async (args: JsonObject): Promise<Answer> => (await call(args)).output;

  /** All pages of the file, one behind the other. */
  async function readAll(args: JsonObject = {}): Promise<{ whole: string; pages: number; longest: number }> {
    let whole = '';
    let pages = 0;
    let longest = 0;
    let place: JsonObject | undefined = {};
    while (place !== undefined) {
      const { output, content } = await call({ ...args, ...place });
      const { nextStartLine: startLine, nextStartCharacter: startCharacter } = output;
      whole += output.text;
      pages += 1;
      longest = Math.max(longest, JSON.stringify(output).length, content.length);
      assert.equal(output.note === undefined, startLine === undefined);
      assert.ok(pages < 500, 'paging goes on');
      place = startLine === undefined ? undefined : { startLine, ...(startCharacter !== undefined && { startCharacter }) };
    }
    return { whole, pages, longest };
  }

  it('returns the whole text with version, dirty flag and number of lines', async () => {
    assert.deepEqual(await read({}), { path: 'a.txt', text, version: 'v7', isDirty: true, totalLines: 4 });
  });

  it('returns the lines asked for, both included, as they are', async () => {
    const cases: readonly (readonly [JsonObject, string])[] = [
      [{ startLine: 1, endLine: 1 }, 'one'],
      [{ startLine: 1, endLine: 2 }, 'one\r\ntwo'],
      [{ startLine: 2, endLine: 3 }, 'two\nthree'],
      [{ startLine: 3 }, 'three\n'],
      [{ endLine: 2 }, 'one\r\ntwo'],
      [{ startLine: 4 }, ''],
      [{ endLine: 99 }, text],
      [{ startLine: 3, startCharacter: 3 }, 'ree\n'],
      [{ startCharacter: 4, endLine: 1 }, ''],
    ];
    for (const [args, expected] of cases) {
      const answer = await read(args);
      assert.deepEqual([answer.text, answer.note], [expected, undefined], JSON.stringify(args));
    }
  });

  it('has its text for models as numbered lines under what is known of the file', async () => {
    const { content } = await call({});
    assert.equal(content, 'a.txt (version v7, unsaved changes, 4 lines)\n1→one\n2→two\n3→three');
    const part = await call({ startLine: 2, startCharacter: 2 });
    assert.equal(part.content, 'a.txt (version v7, unsaved changes, 4 lines) from character 2 of line 2\n2→wo\n3→three');
    assert.deepEqual(part.output, {
      path: 'a.txt',
      text: 'wo\nthree\n',
      version: 'v7',
      isDirty: true,
      totalLines: 4,
      startLine: 2,
      startCharacter: 2,
    });
  });

  it('cuts an oversized text at a line and points to the rest, so that all of it can be had', async () => {
    const long = Array.from({ length: 30_000 }, (_, index) => `line ${index + 1}`).join('\n');
    editor.documents.files.set('a.txt', { text: long });
    const { whole, longest } = await readAll();
    assert.equal(whole, long);
    assert.ok(longest <= 25_000 && longest > 20_000, String(longest));
    assert.equal((await readAll({ maxChars: 200_000 })).pages, 3);
    const { note, nextStartLine, nextStartCharacter } = await read({});
    assert.deepEqual(
      [note, nextStartCharacter],
      [`Cut before line ${nextStartLine} of 30000: call read_file with startLine ${nextStartLine} for the rest.`, undefined],
    );
  });

  it('goes on inside a line that is too long for one answer, and never between the halves of a character', async () => {
    const long = `short\n${'"\\\u0001😀'.repeat(20_000)}\r\nlast`;
    editor.documents.files.set('a.txt', { text: long });
    const { whole, longest } = await readAll();
    assert.equal(whole, long);
    assert.ok(longest <= 25_000, String(longest));
    const { text: piece, note, nextStartLine, nextStartCharacter } = await read({ startLine: 2 });
    assert.deepEqual([nextStartLine, nextStartCharacter], [2, piece.length + 1]);
    assert.equal(note, `Cut inside line 2 of 3: call read_file with startLine 2 and startCharacter ${piece.length + 1} for the rest.`);
    assert.doesNotMatch(piece, /[\ud800-\udbff]$/);
  });

  it('keeps within what was asked for when markers are longer than the secrets they stand for', async () => {
    editor.documents.files.set('a.txt', { text: 'http://a:b@c\n'.repeat(4_000) });
    const { output, content } = await call({}, withholding(editor, { ...visibilityWith(() => true, redactSecrets), redactPart }));
    assert.match(output.text, /^http:\/\/a:\[redacted\]@c\n/);
    assert.ok(Math.max(JSON.stringify(output).length, content.length) <= 25_000);
    assert.ok(output.text.length > 15_000, 'no more is left out than has to be');
  });

  it('says why there is nothing, and what to try', async () => {
    const notes = async (args: JsonObject): Promise<unknown[]> => {
      const { output, content } = await call(args);
      assert.ok(output.note !== undefined && content.includes(output.note));
      return [output.text, output.note];
    };
    assert.deepEqual(await notes({ startLine: 9 }), ['', 'There is no line 9: the text has 4 lines. Try a smaller startLine.']);
    assert.deepEqual(await notes({ startCharacter: 6 }), [
      '',
      'Line 1 ends before character 6. Leave startCharacter out to read the line.',
    ]);
    editor.documents.files.set('a.txt', { text: '' });
    assert.deepEqual(await notes({}), ['', 'The file is empty.']);
    await assert.rejects(read({ startLine: 3, endLine: 2 }), { code: 'server.endBeforeStart' });
  });

  it('returns an image as image content, and a text that has the name of one as text', async () => {
    editor.documents.files.set('logo.PNG', { text: '', version: 'v2', base64: 'AAEC' });
    editor.documents.files.set('fake.png', { text: 'words\n' });
    const image = await call({ path: 'logo.PNG' });
    assert.deepEqual(image.attached, [{ type: 'image', data: 'AAEC', mimeType: 'image/png' }]);
    assert.deepEqual(image.output, {
      path: 'logo.PNG',
      text: '',
      version: 'v2',
      isDirty: false,
      totalLines: 0,
      mimeType: 'image/png',
      size: 3,
      note: 'The image is in the content of this answer.',
    });
    assert.equal(image.content, 'logo.PNG (image/png, 3 bytes, version v2)');
    const words = await call({ path: 'fake.png' });
    assert.deepEqual([words.output.text, words.attached], ['words\n', []]);
  });

  it('refuses a line 0 and an unknown parameter', () => {
    const parameterOf = (args: JsonObject): unknown => (readFile.prepare(args) as { parameter?: string }).parameter;
    assert.equal(parameterOf({ path: 'a', startLine: 0 }), 'startLine');
    assert.equal(parameterOf({ path: 'a', lines: 3 }), 'lines');
  });
});
