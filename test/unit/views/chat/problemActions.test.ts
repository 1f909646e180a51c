import assert from 'node:assert/strict';
import type { ProblemActions } from '../../../../src/views/chat/problemActions.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';

interface Program {
  readonly ProblemActions: typeof ProblemActions;
}

const editor = `
  export class CodeAction { constructor(title) { this.title = title; } }
  export const CodeActionKind = { Empty: { append: (kind) => kind } };
  export const l10n = { t: (text) => text };`;

interface Lines {
  readonly lines: readonly [number, number];
  union(other: Lines): Lines;
}

/** A range of lines, as far as the actions use one. */
function range(first: number, last: number): Lines {
  return {
    lines: [first, last],
    union: ({ lines: [otherFirst, otherLast] }) => range(Math.min(first, otherFirst), Math.max(last, otherLast)),
  };
}

describe('The lightbulb', function () {
  this.timeout(60_000);

  const offered = async (...ranges: readonly Lines[]): Promise<readonly unknown[]> => {
    const program = "export { ProblemActions } from './src/views/chat/problemActions.ts';";
    const { ProblemActions: Actions } = await importWithFakes<Program>(program, { vscode: editor });
    const provide = (document: unknown, at: unknown, context: unknown): readonly unknown[] =>
      new Actions().provideCodeActions(document as never, at as never, context as never);
    return provide({ uri: 'a.ts' }, undefined, { diagnostics: ranges.map((each) => ({ range: each })) });
  };

  it('offers each action once, however many problems there are, and for all of them together', async () => {
    const actions = (await offered(range(3, 3), range(2, 2), range(3, 5))) as readonly {
      readonly title: string;
      readonly diagnostics: readonly unknown[];
      readonly command: { readonly arguments: readonly { readonly range: Lines }[] };
    }[];
    assert.deepEqual(
      actions.map(({ title, diagnostics, command }) => [title, diagnostics.length, command.arguments[0]?.range.lines]),
      ['Fix with Duplex', 'Explain with Duplex', 'Add to Duplex Chat'].map((title) => [title, 3, [2, 5]]),
    );
  });

  it('offers nothing where there is no problem', async () => {
    assert.deepEqual(await offered(), []);
  });
});
