import assert from 'node:assert/strict';
import { silentLog } from '../../../src/base/log.ts';
import { readSetting } from '../../../src/contract/settings/readSetting.ts';
import type * as SettingsReaderModule from '../../../src/editor/settingsReader.ts';
import { importWithFakes } from '../../support/build/importWithFakes.ts';

const program = "export { IgnoredSettings } from './src/editor/settingsReader.ts';";
const { IgnoredSettings } = await importWithFakes<typeof SettingsReaderModule>(program, { vscode: '' });

describe('What the log says of a malformed setting', () => {
  it('names the setting and the reason, again only when it is another one', () => {
    const warnings: string[] = [];
    const ignored = new IgnoredSettings({ ...silentLog, warn: (message) => warnings.push(message) });
    const values = [3, 'a', 'b', -1, -1, 5, -1].map((value) =>
      ignored.usable('duplex.server.port', readSetting('duplex.server.port', value)),
    );
    assert.deepEqual(values, [3, 0, 0, 0, 0, 5, 0]);
    assert.deepEqual(warnings, [
      'duplex.server.port must be a number; it is ignored.',
      'duplex.server.port must be at least 0; it is ignored.',
      'duplex.server.port must be at least 0; it is ignored.',
    ]);
  });

  it('is said once even when the log asks for the setting before it writes', () => {
    const warnings: string[] = [];
    const level = (): string => ignored.usable('duplex.log.level', readSetting('duplex.log.level', 'loud'));
    const ignored: InstanceType<typeof IgnoredSettings> = new IgnoredSettings({ ...silentLog, warn: () => warnings.push(level()) });
    assert.deepEqual([level(), warnings], ['info', ['info']]);
  });
});
