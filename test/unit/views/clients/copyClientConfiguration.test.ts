import assert from 'node:assert/strict';
import { type EventEmitter, once } from 'node:events';
import type { ConfiguredEntry, copyConfigurationFor } from '../../../../src/views/clients/copyClientConfiguration.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';

interface Program {
  readonly copyConfigurationFor: typeof copyConfigurationFor;
  readonly said: string[];
  readonly events: EventEmitter;
}

const program =
  "export { copyConfigurationFor } from './src/views/clients/copyClientConfiguration.ts'; export { said, events } from 'vscode';";
/** An editor in which the person presses whatever a notification offers. */
const editor = `
  import { EventEmitter } from 'node:events';
  export const said = [];
  export const events = new EventEmitter();
  export const l10n = { t: (text) => text };
  export const env = { clipboard: { writeText: async () => undefined } };
  export const window = {
    showInformationMessage: async (sentence, button) => {
      said.push(sentence);
      if (button === undefined) {
        events.emit('told');
      }
      return button;
    },
  };`;
const parts = {
  '../../editor/shared/workspaceFolders.ts': 'export const foldersOfWorkspace = () => [];',
  '../../server/window/discovery.ts': "export const bridgeConnection = () => ({ kind: 'bridge', command: 'duplex', args: [], env: {} });",
};

describe('Copying a client configuration', function () {
  this.timeout(60_000);

  it('offers Revoke again when that fails, and says why', async () => {
    const { copyConfigurationFor: copy, said, events } = await importWithFakes<Program>(program, { vscode: editor, ...parts });
    const problems: unknown[] = [];
    let attempts = 0;
    const credentials: ConfiguredEntry['credentials'] = {
      mintFor: async (label, deliver) => {
        await deliver('token');
        return { credentialId: 'client-1', credentialKind: 'clientToken', label };
      },
      revoke: async () => {
        attempts += 1;
        if (attempts === 1) {
          throw new Error('disk full');
        }
      },
    };
    const told = once(events, 'told', { signal: AbortSignal.timeout(30_000) });
    await copy('plain', { state: { kind: 'stopped' }, fixedPort: undefined, credentials }, (error) => problems.push(error));
    await told;
    assert.deepEqual(problems.map(String), ['Error: disk full']);
    assert.deepEqual(
      said.map((sentence) => /no longer valid|on the clipboard/.exec(sentence)?.[0]),
      ['on the clipboard', 'on the clipboard', 'no longer valid'],
    );
  });
});
