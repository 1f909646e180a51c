import assert from 'node:assert/strict';
import type { DiagnosticsAnswer } from '../../../../../src/server/seen/ports/editorPort.ts';
import { diagnosticAt, FakeEditor } from '../../support/fakePorts.ts';
import { answerOf } from '../../support/toolAnswers.ts';

describe('Diagnostics of files that changed on the disk a moment ago', () => {
  const noteFor = async (unknown: Partial<DiagnosticsAnswer>, args = {}): Promise<string> => {
    const editor = new FakeEditor();
    const answer = { diagnostics: [diagnosticAt(1)], documents: [], total: 1, settled: false, ...unknown };
    editor.answerDiagnostics = () => Promise.resolve(answer);
    return String((await answerOf('get_diagnostics', { waitMs: 1, ...args }, editor)).output['note']);
  };

  it('are not settled, and name what the language service may not know yet', async () => {
    const note = await noteFor({ behind: ['src/b.ts', 'src/c.ts'] }, { path: 'src/a.ts' });
    assert.match(note, /^Not known yet: .* src\/b\.ts, src\/c\.ts as it was before it changed on the disk\. Ask again/);
    assert.doesNotMatch(note, /No language service/);
  });

  it('name files that nobody has reported on beside them', async () => {
    const note = await noteFor({ behind: ['src/b.ts'], unheard: ['src/odd.ini'] });
    assert.match(note, /src\/b\.ts as it was.*No language service has reported on src\/odd\.ini.*Known are the problems/);
  });
});
