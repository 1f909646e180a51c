import assert from 'node:assert/strict';
import { withholding } from '../../../src/server/withheld.ts';
import type { OpenEditor } from '../../../src/server/ports/editorPort.ts';
import { diagnosticAt, FakeEditor } from './support/fakePorts.ts';

const secret = [
  '.env',
  '.env.local',
  'config/.env',
  'keys/server.pem',
  'server.KEY',
  'a.p12',
  'a.pfx',
  'id_rsa',
  '.npmrc',
  '.netrc',
  '.pypirc',
  '.ssh/config',
  '.aws/credentials',
  '.gnupg/x',
  'data/settings.json',
  '.duplex/windows/1.json',
  '/demo/.env',
  'file:///demo/.env',
  'file:///elsewhere/a.ts',
  '/elsewhere/a.ts',
  'vscode-userdata:/settings.json',
];
const open = ['src/a.ts', 'id_rsa.pub', 'environment.ts', 'keyboard.ts', '/demo/src/a.ts', 'file:///demo/src/a.ts', 'untitled:Untitled-1'];

describe('What clients see of the editor', () => {
  const editor = new FakeEditor();
  const seen = withholding(editor, { neverShown: ['/demo/.duplex', '/demo/data'] });
  const signal = new AbortController().signal;

  it('leaves out secret files, the editor’s own data and documents outside the workspace, and nothing else', async () => {
    const [sample] = editor.editors;
    editor.editors = [...secret, ...open].map((path) => ({ ...(sample as OpenEditor), path }));
    editor.diagnostics = [...secret, ...open].map((path) => ({ ...diagnosticAt(1), path }));
    assert.deepEqual(
      seen.listOpenEditors().map(({ path }) => path),
      open,
    );
    const answer = await seen.getDiagnostics({ waitMs: 0 }, signal);
    assert.deepEqual(
      answer.diagnostics.map(({ path }) => path),
      open,
    );
  });

  it('answers for a secret file as for one without problems, without asking the editor', async () => {
    const asked = editor.queries.length;
    assert.deepEqual(await seen.getDiagnostics({ path: '.env', waitMs: 0 }, signal), { diagnostics: [], documents: [], settled: true });
    assert.equal(editor.queries.length, asked);
  });
});
