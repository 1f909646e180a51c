import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Emitter } from '../../src/base/events.ts';
import { noGrants, type ClientGrants } from '../../src/server/seen/viewer.ts';
import type { ChangeOrigin, EditsReview } from '../../src/server/seen/ports/actingPort.ts';
import type { HttpPeer } from '../unit/server/support/httpPeer.ts';
import { Person } from '../unit/server/support/person.ts';
import { runServer, type RunningServer } from '../unit/server/support/runningServer.ts';

const secret = 'do-not-show-this';

/** Real files and links, a real server and real questions: the attack happens while the person thinks. */
describe('A file that is swapped or hidden while a question is open', () => {
  let root: string;
  let work: string;
  let person: Person;
  let running: RunningServer;
  let peer: HttpPeer;
  let grants: ClientGrants;
  const granted = new Emitter<void>();

  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'duplex-at-use-')));
    work = join(root, 'work');
    await mkdir(join(work, 'sub'), { recursive: true });
    await mkdir(join(root, 'outside'));
    await writeFile(join(work, '.env'), secret);
    await writeFile(join(work, 'notes.md'), 'harmless');
    grants = noGrants;
    person = new Person();
    running = await runServer({ person: person.approval, grants: { of: () => grants, onDidChange: granted.event } });
    running.editor.folders = [{ name: 'work', path: work, uri: pathToFileURL(work).href, index: 0 }];
    peer = await person.letIn(running.peer(running.otherToken()));
  });
  afterEach(async () => {
    await running.close();
    person.dispose();
    await rm(root, { recursive: true, force: true });
  });

  async function swap(path: string, target: string): Promise<void> {
    await rm(join(work, path), { recursive: true });
    await symlink(target, join(work, path));
  }

  /** The person allows it, after the attack. */
  async function callDuring(tool: string, args: object, attack: () => Promise<void> | void): Promise<string> {
    const calling = peer.callTool(tool, { ...args });
    await person.untilAsked();
    await attack();
    person.answer('allowOnce');
    return JSON.stringify((await calling).json);
  }

  const did = (...what: readonly string[]): readonly unknown[] =>
    running.editor.acting.done.filter((done) => what.includes(String((done as unknown[])[0])));

  it('is not saved', async () => {
    const answer = await callDuring('save_file', { path: 'notes.md' }, () => swap('notes.md', join(work, '.env')));
    assert.match(answer, /There is no \\"notes\.md\\"/);
    assert.deepEqual(did('save'), []);
  });

  it('is not saved once the grant by which the client saw it is taken back', async () => {
    grants = { sensitive: true, outside: false };
    const answer = await callDuring('save_file', { path: '.env' }, () => {
      grants = noGrants;
      granted.fire();
    });
    assert.match(answer, /There is no \\"\.env\\"/);
    assert.deepEqual(did('save'), []);
  });

  it('is no folder to run a command in', async () => {
    const answer = await callDuring('run_terminal_command', { command: 'ls', cwd: 'sub' }, () => swap('sub', join(root, 'outside')));
    assert.match(answer, /There is no \\"sub\\"/);
    running.editor.acting.folderOf = () => join(work, 'sub');
    await rm(join(work, 'sub'));
    await mkdir(join(work, 'sub'));
    const moved = await callDuring('run_terminal_command', { command: 'ls', cwd: 'sub' }, () => {
      running.editor.acting.folderOf = () => join(work, 'another');
    });
    assert.match(moved, /The folder is another one/);
    assert.deepEqual(did('startCommand'), []);
  });

  it('is no terminal to run a command in: another shell or other variables than were shown', async () => {
    const answer = await callDuring('run_terminal_command', { command: 'ls' }, () => {
      running.editor.acting.terminal = '{"shell": "./evil.sh"}';
    });
    assert.match(answer, /The terminal is another one/);
    assert.deepEqual(did('startCommand'), []);
  });

  it('is touched by no code action whose command was asked about', async () => {
    running.editor.acting.codeAction = { command: 'tidy' };
    const args = { path: 'notes.md', startLine: 1, endLine: 1, title: 'Tidy' };
    const answer = await callDuring('apply_code_action', args, () => swap('notes.md', join(work, '.env')));
    assert.match(answer, /There is no \\"notes\.md\\"/);
    assert.deepEqual(did('applyCodeAction'), []);
  });

  for (const outcome of ['accepted', 'rejected'] as const) {
    it(`does not come back as the text after its review was ${outcome}`, async () => {
      running.editor.acting.review = async (): Promise<EditsReview> => {
        await swap('notes.md', join(work, '.env'));
        return { files: [{ path: 'notes.md', outcome, text: secret, version: 'v7', isSaved: false }] };
      };
      const answer = (await peer.callTool('propose_edit', { path: 'notes.md', newText: 'x' })).json;
      const { structuredContent } = answer.result as { structuredContent: unknown };
      assert.deepEqual(structuredContent, { outcome, version: '', isSaved: false, diagnostics: [] });
    });
  }

  it('may not be touched by the change that is then made', async () => {
    const calls = [
      ['format_document', { path: 'notes.md' }],
      ['rename_symbol', { path: 'notes.md', line: 1, character: 1, newName: 'b' }],
      ['apply_code_action', { path: 'notes.md', startLine: 1, endLine: 1, title: 'Tidy' }],
    ] as const;
    for (const [tool, args] of calls) {
      await peer.callTool(tool, args);
    }
    const origins = did('format', 'rename', 'applyCodeAction').map((done) => (done as unknown[]).at(-1) as ChangeOrigin);
    const mayTouch = (): readonly unknown[] => origins.map(({ guard }) => guard?.mayTouch('notes.md'));
    assert.deepEqual(mayTouch(), [true, true, true]);
    await swap('notes.md', join(work, '.env'));
    assert.deepEqual(mayTouch(), [false, false, false]);
  });
});
