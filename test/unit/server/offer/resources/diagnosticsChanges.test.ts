import assert from 'node:assert/strict';
import type { Disposable } from '../../../../../src/base/lifecycle.ts';
import type { DiagnosticEntry } from '../../../../../src/server/seen/ports/editorPort.ts';
import { diagnosticsChanges } from '../../../../../src/server/offer/resources/diagnosticsChanges.ts';
import { FakeEditor } from '../../support/fakePorts.ts';

const range = { start: { line: 1, character: 1 }, end: { line: 1, character: 2 } };
const problem = (message: string): DiagnosticEntry => ({ path: 'src/a.ts', range, severity: 'error', message });

/** An editor with one file that somebody follows. Each look is counted when its answer is there. */
class FollowedFile {
  readonly editor = new FakeEditor();
  told = 0;
  looks = 0;
  problems: readonly DiagnosticEntry[] = [problem('first')];
  /** Lets looks take as long as a test wants. */
  untilAnswer: Promise<void> = Promise.resolve();
  #listening: Disposable | undefined;

  constructor() {
    this.editor.answerDiagnostics = async () => {
      await this.untilAnswer;
      setImmediate(() => (this.looks += 1));
      return { diagnostics: this.problems, documents: [], settled: true, total: this.problems.length };
    };
  }

  follow(path = 'src/a.ts'): void {
    this.#listening = diagnosticsChanges(path, this.editor)(() => (this.told += 1));
  }

  async untilLooked(count: number): Promise<void> {
    while (this.looks < count) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  leave(): void {
    this.#listening?.dispose();
  }
}

describe('A subscription to the problems of one file', () => {
  let file: FollowedFile;
  beforeEach(() => {
    file = new FollowedFile();
  });
  afterEach(() => file.leave());

  it('fires once for a change, of which several events tell, and not for events without a change', async () => {
    file.follow('/demo/src/./a.ts');
    await file.untilLooked(1);
    file.problems = [problem('second')];
    file.editor.documents.didChange.fire('src/a.ts');
    file.editor.didChangeDiagnostics.fire(['README.md', 'src/a.ts']);
    file.editor.didChangeDiagnostics.fire();
    await file.untilLooked(2);
    assert.equal(file.told, 1);
    file.editor.documents.didChange.fire('src/a.ts'); // as when it is loaded because a client reads it
    await file.untilLooked(3);
    assert.equal(file.told, 1);
  });

  it('does not look for what happens to other files', async () => {
    file.follow();
    await file.untilLooked(1);
    file.editor.didChangeDiagnostics.fire(['README.md']);
    file.problems = [];
    file.editor.didChangeDiagnostics.fire(['src/a.ts']);
    await file.untilLooked(2);
    assert.deepEqual([file.told, file.looks], [1, 2]);
  });

  it('fires for a file that changes while the first look is under way, though that look saw it already, and once', async () => {
    let answer: () => void = () => undefined;
    file.untilAnswer = new Promise((resolve) => (answer = resolve));
    file.follow();
    file.problems = [problem('second')];
    file.editor.documents.state = 'changed';
    file.editor.documents.didChange.fire('src/a.ts');
    answer();
    await file.untilLooked(2);
    assert.equal(file.told, 1);
  });

  it('looks no more once it has ended', async () => {
    file.follow();
    await file.untilLooked(1);
    file.editor.documents.didChange.fire('src/a.ts');
    file.leave();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([file.told, file.looks], [0, 1]);
  });
});
