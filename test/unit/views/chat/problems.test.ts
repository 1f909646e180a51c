import assert from 'node:assert/strict';
import type { askAboutProblem } from '../../../../src/views/chat/problems.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';

interface Program {
  readonly askAboutProblem: typeof askAboutProblem;
  readonly said: string[];
}

const program = "export { askAboutProblem } from './src/views/chat/problems.ts'; export { said } from 'vscode';";
const editor = `
  export const said = [];
  export class Uri {}
  export class Range { constructor(...ends) { this.ends = ends; } }
  export const l10n = { t: (text) => text };
  export const window = { showInformationMessage: (sentence) => said.push(sentence) };
  export const languages = {
    getDiagnostics: () => [3, 1].map((severity) => ({ severity, range: { start: { line: 20 }, end: { line: 20 + severity } } })),
  };
  export const workspace = { openTextDocument: async () => ({ validateRange: (range) => range }) };`;
const places = {
  '../../editor/shared/clientPlaces.ts': 'export const toClientPath = (uri) => `path of ${uri}`;',
  '../../editor/context/editorContext.ts': "export const rangeRef = (document, { ends }) => ({ kind: 'lines', ends });",
};

describe('Asking the chat about the problem at the cursor', function () {
  this.timeout(60_000);

  async function ask(line: number | undefined): Promise<readonly unknown[]> {
    const { askAboutProblem: about, said } = await importWithFakes<Program>(program, { vscode: editor, ...places });
    const done: unknown[] = [];
    const cursor = line === undefined ? undefined : { document: { uri: 'a.ts' }, selection: { active: { line } } };
    await about(undefined, 'fix', cursor as unknown as Parameters<typeof askAboutProblem>[2], {
      draft: (text) => Promise.resolve(void done.push(text)),
      attach: (refs) => Promise.resolve(void done.push(refs)),
    });
    return [...done, ...said];
  }

  it('writes the words and attaches the worst problem there, with the lines around it', async () => {
    assert.deepEqual(await ask(20), [
      'Fix the attached problem.',
      [
        { kind: 'diagnostics', path: 'path of a.ts', lines: { start: 21, end: 22 } },
        { kind: 'lines', ends: [12, 0, 30, 0] },
      ],
    ]);
  });

  it('says that there is none, and opens no chat, where there is none', async () => {
    assert.deepEqual(await ask(19), ['There is no problem at the cursor.']);
    assert.deepEqual(await ask(undefined), ['There is no problem at the cursor.']);
  });
});
