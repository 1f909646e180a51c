import assert from 'node:assert/strict';
import { silentLog } from '../../../../src/base/log.ts';
import { ServerStorage } from '../../../../src/server/window/issuedCredentials.ts';
import { TextInMemory } from '../../../../src/base/sharedStorage.ts';

describe('What the server keeps', () => {
  it('is opened on first use, and once', async () => {
    const opened: string[] = [];
    const openFile = (name: string): Promise<TextInMemory & { dispose(): void }> => {
      opened.push(name);
      return Promise.resolve(Object.assign(new TextInMemory(), { dispose: () => undefined }));
    };
    const storage = new ServerStorage(openFile, silentLog);
    assert.deepEqual(opened, []);
    assert.equal(await storage.clientTokens(), await storage.clientTokens());
    assert.equal(await storage.oauth(), await storage.oauth());
    assert.deepEqual(opened, ['clientTokens.json', 'oauthClients.json']);
    storage.dispose();
  });

  it('lives as long as the window where nothing can be stored', async () => {
    const storage = new ServerStorage(() => Promise.reject(new Error('read-only')), silentLog);
    const tokens = await storage.clientTokens();
    const { id } = await tokens.mint('Host');
    assert.deepEqual(
      tokens.list().map((token) => token.id),
      [id],
    );
    storage.dispose();
  });
});
