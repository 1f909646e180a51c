import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { readElsewhere, sameServers } from '../../../../src/definitions/foreign/elsewhere.ts';
import { readDefinitions } from '../../../../src/definitions/readDefinitions.ts';
import { createTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';

describe('Servers that are configured in other programs', () => {
  const home = createTemporaryFolder();
  const folder = createTemporaryFolder();
  const context = { folders: [{ name: 'work', path: folder }], userHome: home, env: {}, platform: 'linux' as const };

  function write(base: string, file: string, content: object): void {
    mkdirSync(path.dirname(path.join(base, file)), { recursive: true });
    writeFileSync(path.join(base, file), JSON.stringify(content));
  }

  before(() => {
    const notes = { command: 'npx', args: ['-y', 'notes-server'], env: { NOTES_TOKEN: 'first' } };
    write(home, '.cursor/mcp.json', { mcpServers: { notes, maps: { url: 'https://maps.example/mcp' } } });
    write(home, '.config/Claude/claude_desktop_config.json', {
      mcpServers: {
        notebook: { command: 'npx', args: ['notes-server'], env: { NOTES_TOKEN: 'second' } },
        duplex: { command: '/home/me/.duplex/bin/duplex-bridge', args: [] },
      },
    });
    write(home, '.copilot/mcp-config.json', { mcpServers: { notes: { command: 'npx', args: ['-y', 'other-server'] } } });
    write(folder, '.mcp.json', { mcpServers: { maps: { type: 'http', url: 'https://maps.example/mcp' } } });
    writeFileSync(path.join(home, '.cursor', 'ignored'), '');
  });

  it('are found in all known files, without the way into this editor', async () => {
    const found = await readElsewhere(context);
    assert.deepEqual(found.map(({ place, definition }) => `${place.name}: ${definition.name}`).toSorted(), [
      '.mcp.json: maps',
      'Claude Desktop: notebook',
      'Copilot CLI: notes',
      'Cursor: maps',
      'Cursor: notes',
    ]);
  });

  it('are the same when they start or reach the same, whatever they are called and whatever their secrets are', async () => {
    const own = readDefinitions([
      { scope: 'user', value: { 'my-maps': { url: 'https://maps.example/mcp' } }, location: 'user settings' },
    ]).definitions;
    const groups = sameServers(await readElsewhere(context), own);
    const shown = groups.map(({ elsewhere, own: mine, hasOtherValues }) => ({
      names: elsewhere.map(({ definition }) => definition.name).toSorted(),
      own: mine?.name,
      hasOtherValues,
    }));
    assert.deepEqual(
      shown.toSorted((one, other) => one.names.join().localeCompare(other.names.join())),
      [
        { names: ['maps', 'maps'], own: 'my-maps', hasOtherValues: false },
        { names: ['notebook', 'notes'], own: undefined, hasOtherValues: true },
        { names: ['notes'], own: undefined, hasOtherValues: false },
      ],
    );
  });

  it('are none where no other program has a file', async () => {
    assert.deepEqual(await readElsewhere({ ...context, folders: [], userHome: createTemporaryFolder() }), []);
  });
});
