import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Emitter } from '../../../../../src/base/events.ts';
import type { JsonObject } from '../../../../../src/base/json.ts';
import { maxPathLength } from '../../../../../src/platform/paths/clientPath.ts';
import type { Tool } from '../../../../../src/server/offer/catalog/catalog.ts';
import { skills } from '../../../../../src/server/offer/skills/skillTable.ts';
import { tools } from '../../../../../src/server/offer/tools/toolTable.ts';
import { skillsSeenBy } from '../../../../../src/server/protocol/methods/lists.ts';
import { FakeApproval } from '../../support/fakePorts.ts';
import { policySource } from '../../support/fakePolicy.ts';
import { modernHeaders } from '../../support/modernLinks.ts';
import { modern } from '../../support/modernRules.ts';
import { ProtocolCatalog } from '../../support/protocolCatalog.ts';
import { runCore } from '../../support/runningCore.ts';
import { runServer, type RunningServer } from '../../support/runningServer.ts';

interface Entry {
  readonly uri: string;
  readonly frontmatter: { readonly name: string; readonly description: string };
  readonly resources: readonly { readonly uri: string; readonly digest: string; readonly size: number }[];
}

const extension = 'io.modelcontextprotocol/skills';
const fixProblems = 'skill://duplex/fix-problems/SKILL.md';
const allTools = new Set(tools.map(({ name }) => name));
/** The skills that the tools of the table are enough for. */
const offered = skills.filter((skill) => skill.tools.every((name) => allTools.has(name))).map(({ name }) => name);

/** URIs that are no file of a skill, however near they come. */
const strangers = [
  'skill://duplex/none/SKILL.md',
  'skill://duplex/fix-problems',
  'skill://duplex/fix-problems/',
  'skill://duplex/fix-problems/OTHER.md',
  'skill://duplex/fix-problems/SKILL.md/',
  'skill://duplex/fix-problems/../review-changes/SKILL.md',
  'skill://duplex/%66ix-problems/SKILL.md',
  'skill://duplex/../x',
  'skill://duplex/../../demo/src/a.ts',
  'skill://other/fix-problems/SKILL.md',
  'skill:///demo/src/a.ts',
  'skill:/demo/src/a.ts',
];

describe('Skills over the protocol', () => {
  let running: RunningServer;
  afterEach(() => running.close());

  async function ask(method: string, params: JsonObject = {}): Promise<JsonObject> {
    const message = modern(1, method, params);
    const { 'mcp-name': name, ...headers } = modernHeaders(message);
    return (await running.peer().post(message, method === 'skills/get' ? headers : { ...headers, 'mcp-name': name })).json;
  }

  async function listed(): Promise<readonly Entry[]> {
    const { result } = await ask('skills/list');
    return (result as JsonObject).skills as unknown as Entry[];
  }

  async function read(uri: string): Promise<JsonObject> {
    const { result } = await ask('resources/read', { uri });
    const [content] = (result as JsonObject).contents as JsonObject[];
    return content ?? {};
  }

  it('are announced in 2026-07-28, listed, and got one by one with the same entry', async () => {
    running = await runServer();
    const { result } = await ask('server/discover');
    const { extensions } = (result as JsonObject).capabilities as JsonObject;
    assert.deepEqual((extensions as JsonObject)[extension], {});
    const entries = await listed();
    assert.deepEqual(
      entries.map(({ frontmatter }) => frontmatter.name),
      offered,
    );
    for (const entry of entries) {
      const { skill, resultType, ttlMs, cacheScope } = (await ask('skills/get', { uri: entry.uri })).result as JsonObject;
      assert.deepEqual([skill, resultType, ttlMs, cacheScope], [entry, 'complete', 60_000, 'private']);
    }
  });

  it('have digests and sizes that fit the bytes which are read', async () => {
    running = await runServer();
    for (const { uri, frontmatter, resources } of await listed()) {
      const { text, mimeType } = await read(uri);
      const bytes = Buffer.from(text as string);
      const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
      assert.deepEqual(resources, [{ uri, digest, size: bytes.length }]);
      assert.equal(mimeType, 'text/markdown');
      assert.ok(bytes.toString().startsWith(`---\nname: ${frontmatter.name}\ndescription: ${frontmatter.description}\n---\n`));
    }
  });

  it('are plain resources in every older revision, which knows nothing of the extension', async () => {
    running = await runServer();
    for (const revision of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
      const peer = running.peer();
      const { capabilities } = (await peer.initialize(revision)).json.result as JsonObject;
      assert.equal((capabilities as JsonObject).extensions, undefined, revision);
      const { resources } = (await peer.request('resources/list')).json.result as { resources: JsonObject[] };
      const entries = resources.filter(({ uri }) => (uri as string).startsWith('skill:'));
      assert.deepEqual(
        entries.map(({ name, mimeType }) => [name, mimeType]),
        offered.map((name) => [name, 'text/markdown']),
      );
      const { contents } = (await peer.request('resources/read', { uri: fixProblems })).json.result as { contents: JsonObject[] };
      assert.match(contents[0]?.text as string, /^---\nname: fix-problems\n/);
      for (const method of ['skills/list', 'skills/get']) {
        assert.equal(((await peer.request(method, { uri: fixProblems })).json.error as JsonObject).code, -32601, `${revision} ${method}`);
      }
      const unknown = (await peer.request('resources/read', { uri: 'skill://duplex/../x' })).json.error as JsonObject;
      assert.equal(unknown.code, -32002);
    }
  });

  for (const uri of strangers) {
    it(`${uri} is no skill and no file`, async () => {
      running = await runServer();
      const got = (await ask('skills/get', { uri })).error as JsonObject;
      assert.deepEqual([got.code, got.message, got.data], [-32602, 'There is no such skill: skills/list has the URI of each', { uri }]);
      const content = (await ask('resources/read', { uri })).error as JsonObject;
      assert.deepEqual([content.code, content.message, content.data], [-32602, 'Resource not found', { uri }]);
    });
  }

  it('say what is wrong with parameters', async () => {
    running = await runServer();
    for (const params of [{}, { uri: 5 }, { uri: `skill://${'x'.repeat(maxPathLength)}` }]) {
      const { code, data } = (await ask('skills/get', params)).error as JsonObject;
      assert.deepEqual([code, (data as JsonObject).parameter], [-32602, 'uri']);
    }
    assert.equal(((await ask('skills/list', { cursor: 'x' })).error as JsonObject).code, -32602);
  });

  it('are listed before the person has answered, and read only after', async () => {
    running = await runServer({ approval: new FakeApproval() });
    assert.deepEqual(
      (await listed()).map(({ frontmatter }) => frontmatter.name),
      offered,
    );
    const reading = ask('resources/read', { uri: fixProblems });
    await running.approval.untilAsked(1);
    running.approval.answer({ kind: 'denied' });
    assert.deepEqual(((await reading).error as JsonObject).data, { reason: 'denied' });
  });

  it('are neither listed nor there for a client to which a tool that they name is denied, which is told when that changes', async () => {
    const rules: JsonObject[] = [];
    const changed = new Emitter<void>();
    running = await runServer({ policy: policySource(() => rules, changed.event) });
    const peer = running.peer();
    await peer.initialize('2025-11-25');
    await peer.request('tools/call', { name: 'list_workspace_folders' });
    const stream = await peer.stream();
    rules.push({ effect: 'deny', tool: 'run_tests' });
    changed.fire();
    const told = [await stream.next(), await stream.next()].map((event) => (JSON.parse(event?.data ?? '{}') as JsonObject).method);
    assert.deepEqual(told.toSorted(), ['notifications/resources/list_changed', 'notifications/tools/list_changed']);
    assert.deepEqual(
      (await listed()).map(({ frontmatter }) => frontmatter.name),
      offered.filter((name) => name !== 'fix-problems' && name !== 'test-first'),
    );
    assert.equal(((await ask('skills/get', { uri: fixProblems })).error as JsonObject).code, -32602);
    assert.equal(((await ask('resources/read', { uri: fixProblems })).error as JsonObject).code, -32602);
  });
});

describe('Skills of a catalog', () => {
  it('the one for the debugger is there as long as the debugger’s tools are', () => {
    const access = { state: { kind: 'notAsked' }, hidesContent: () => false, hides: () => false } as const;
    const names = skills.flatMap((skill) => skill.tools);
    const seenWith = (offers: readonly string[]): readonly string[] => {
      const catalog = Object.assign(new ProtocolCatalog(), { skills, tools: offers.map((name) => ({ name }) as Tool) });
      return skillsSeenBy({ access }, catalog).map(({ name }) => name);
    };
    assert.deepEqual(
      seenWith(names),
      skills.map(({ name }) => name),
    );
    assert.deepEqual(seenWith(names.filter((name) => name !== 'start_debugging')), ['fix-problems', 'review-changes', 'test-first']);
  });

  it('without any, nothing is announced and the methods are unknown', async () => {
    const core = await runCore();
    try {
      for (const method of ['skills/list', 'skills/get']) {
        const message = modern(1, method, { uri: fixProblems });
        const { json } = await core.peer().post(message, modernHeaders(message));
        assert.equal((json.error as JsonObject).code, -32601);
      }
    } finally {
      await core.close();
    }
  });
});
