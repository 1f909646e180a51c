import assert from 'node:assert/strict';
import { readDefinitions } from '../../../../../src/definitions/readDefinitions.ts';
import type { removeServer } from '../../../../../src/views/servers/files/serverChanges.ts';
import { importWithFakes } from '../../../../support/build/importWithFakes.ts';

interface Program {
  readonly removeServer: typeof removeServer;
  /** The settings; while they have unsaved changes VS Code does not write them. */
  readonly file: { servers: object | undefined; isUnsaved: boolean };
  /** Each notification, and how the person answers it. */
  readonly shown: { readonly sentence: string; answer(button?: string): void }[];
}

const program = `
  export { removeServer } from './src/views/servers/files/serverChanges.ts';
  export { file, shown } from 'vscode';`;
const editor = `
  export const [file, shown] = [{ servers: undefined, isUnsaved: false }, []];
  export const l10n = { t: (text, ...args) => text.replace(/\\{(\\d)\\}/g, (_, index) => args[index]) };
  export const [env, ConfigurationTarget] = [{ language: 'en' }, { Global: 1, Workspace: 2, WorkspaceFolder: 3 }];
  const update = async (_, value) => {
    if (file.isUnsaved) {
      throw new Error('The settings have unsaved changes.');
    }
    file.servers = value;
  };
  export const workspace = { getConfiguration: () => ({ inspect: () => ({ globalValue: file.servers }), update }) };
  export const window = {
    showInformationMessage: (sentence) => new Promise((answer) => shown.push({ sentence, answer })),
  };`;

const servers = { first: { command: 'first' }, second: { command: 'second' } };

describe('A server that is removed', function () {
  this.timeout(60_000);
  let loaded: Program;
  let [reports, gone]: [string[], number] = [[], 0];

  beforeEach(async () => {
    [reports, gone] = [[], 0];
    loaded = await importWithFakes<Program>(program, { vscode: editor });
    loaded.file.servers = servers;
    const [first] = readDefinitions([{ scope: 'user', value: servers, location: 'user settings' }]).definitions;
    assert.ok(first);
    await loaded.removeServer(first, {
      onGone: () => {
        gone += 1;
        return Promise.reject(new Error('The keyring is locked.'));
      },
      report: (error) => reports.push(String(error)),
    });
    assert.deepEqual(loaded.file.servers, { second: servers.second });
  });

  const answer = async (button?: string): Promise<void> => {
    loaded.shown.at(-1)?.answer(button);
    await new Promise((resolve) => setImmediate(resolve));
  };

  it('can be brought back when that was refused at first', async () => {
    loaded.file.isUnsaved = true;
    await answer('Undo');
    assert.deepEqual(reports, ['Error: The settings have unsaved changes.']);
    loaded.file.isUnsaved = false;
    await answer('Undo');
    assert.deepEqual(
      loaded.shown.map(({ sentence }) => sentence),
      Array.from({ length: 2 }, () => 'The server “first” was removed from user settings.'),
    );
    assert.deepEqual([JSON.stringify(loaded.file.servers), gone], [JSON.stringify(servers), 0]);
  });

  it('is gone when nobody wants it back, and what fails then is told', async () => {
    await answer();
    assert.deepEqual([loaded.shown.length, gone, reports], [1, 1, ['Error: The keyring is locked.']]);
  });
});
