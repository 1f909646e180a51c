import assert from 'node:assert/strict';
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { runServer, type RunningServer } from '../unit/server/support/runningServer.ts';

const wanted = ['fix-problems', 'review-changes', 'test-first'];

describe('the skills of the embedded server and the official v2 client', () => {
  let running: RunningServer;
  let client: Client;
  afterEach(async () => {
    await client.close();
    await running.close();
  });

  const authProvider = { token: () => Promise.resolve(running.token) };

  it('which lists, gets, reads and verifies every one of them at 2026-07-28', async () => {
    running = await runServer();
    client = new Client({ name: 'official', version: '2.4.0' }, { versionNegotiation: { mode: 'auto' }, enforceStrictCapabilities: true });
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${running.port}/mcp`), { authProvider }));
    const skills = new SkillsClient(client);
    assert.deepEqual([skills.supported, skills.directoryRead], [true, false]);
    // Without `skipInvalid`, an entry that breaks a rule of the extension throws.
    const listing = await skills.list();
    const names = listing.skills.map(({ frontmatter }) => frontmatter.name);
    assert.deepEqual(
      names.filter((name) => name !== 'debug'),
      wanted,
    );
    for (const entry of listing.skills) {
      assert.deepEqual((await skills.get(entry.uri)).skill, entry);
      const file = await skills.read(entry);
      assert.deepEqual([file.verified, file.mimeType, file.frontmatter], [true, 'text/markdown', entry.frontmatter]);
      assert.match(file.body ?? '', /^\s*# /);
    }
    await assert.rejects(skills.get('skill://duplex/none/SKILL.md'), { code: -32602 });
  });

  it('which, at an older revision, finds no extension but reads the same texts as resources', async () => {
    running = await runServer();
    client = new Client({ name: 'official', version: '2.4.0' });
    await client.connect(new SSEClientTransport(new URL(`http://127.0.0.1:${running.port}/sse`), { authProvider }));
    const skills = new SkillsClient(client);
    assert.deepEqual([skills.supported, (await skills.list()).skills], [false, []]);
    const { resources } = await client.listResources();
    const found = resources.filter(({ uri }) => uri.startsWith('skill://duplex/'));
    assert.deepEqual(
      found.map(({ name }) => name).filter((name) => name !== 'debug'),
      wanted,
    );
    for (const { uri, name, description } of found) {
      const [content] = (await client.readResource({ uri })).contents;
      assert.ok(content !== undefined && 'text' in content);
      assert.ok(content.text.startsWith(`---\nname: ${name}\ndescription: ${description}\n---\n`));
    }
  });
});
