import assert from 'node:assert/strict';
import { ModelToolNames } from '../../../../src/host/shared/modelTools.ts';
import type { ServerSnapshot, ToolInfo } from '../../../../src/host/shared/serverState.ts';

describe('Names of tools for models', () => {
  const tool = (name: string): ToolInfo => ({
    name,
    title: undefined,
    description: '',
    inputSchema: { type: 'object' },
    outputSchema: undefined,
    annotations: undefined,
  });
  const server = (id: string, name: string, ...tools: string[]): ServerSnapshot => ({
    id,
    name,
    label: name,
    scope: 'user',
    location: '',
    hasInputs: false,
    state: { kind: 'stopped', reason: 'byUser' },
    tools: tools.map(tool),
    prompts: [],
    resources: [],
    templates: [],
    skills: [],
    problems: [],
  });

  it('never come to mean the tool of another server', () => {
    const names = new ModelToolNames();
    const [first] = names.name([server('workspace:x:demo', 'demo', 'run')]);
    const both = names.name([server('user:demo', 'demo', 'run'), server('workspace:x:demo', 'demo', 'run')]);
    assert.equal(first?.name, 'demo__run');
    assert.equal(both[1]?.name, 'demo__run');
    assert.match(both[0]?.name ?? '', /^demo__run_[0-9a-f]{12}$/);
  });

  it('are made once per change, however many rows ask', () => {
    const names = new ModelToolNames();
    const stopped = server('user:z', 'z');
    const large = server('user:a', 'a', ...Array.from({ length: 2_000 }, (_, index) => `tool${index}`));
    const first = names.name([stopped, large]);
    const rows = large.tools.map(({ name }) => names.nameOf([{ ...stopped, tools: [] }, { ...large }], large.id, name));
    assert.deepEqual([rows[1_999], rows.length], ['a__tool1999', 2_000]);
    assert.equal(names.name([stopped, { ...large }]), first);
    assert.notEqual(names.name([stopped, { ...large, label: 'other' }]), first);
    assert.equal(names.nameOf([stopped, server('user:a', 'a', 'new')], large.id, 'new'), 'a__new');
  });

  it('are told apart when two pairs would join to the same text', () => {
    const names = new ModelToolNames().name([server('user:a', 'a', 'b__c'), server('user:a__b', 'a__b', 'c')]);
    assert.equal(new Set(names.map((each) => each.name)).size, 2);
  });

  it('are told apart where a server calls a tool as another one is called after it was shortened', () => {
    const long = 'x'.repeat(100);
    const [shortened] = new ModelToolNames().name([server('user:a', 'a', long)]);
    const posing = shortened?.name.slice('a__'.length) ?? '';
    const names = new ModelToolNames();
    const made = names.name([server('user:a', 'a', posing, long)]);
    assert.equal(made[0]?.name, shortened?.name);
    assert.equal(new Set(made.map((each) => each.name)).size, 2);
    assert.deepEqual(
      made.map((each) => names.ownerOf(each.name)?.tool),
      [posing, long],
    );
    const again = names.name([server('user:a', 'a', long, posing)]);
    assert.deepEqual(
      again.map((each) => each.name),
      made.map((each) => each.name).toReversed(),
    );
  });

  it('come with descriptions that hide nothing and values that stay as they are', () => {
    const inputSchema = {
      type: 'object',
      properties: { a: { description: 'x\u200By', enum: ['p\u200Bq'] }, description: { anyOf: [{ title: 'z\u202E' }] } },
    };
    const hiding = { ...server('user:a', 'a', 'b'), tools: [{ ...tool('b'), description: 'do\u2060 it', inputSchema }] };
    const [named] = new ModelToolNames().name([hiding]);
    assert.equal(named?.description, 'do⟨U+2060⟩ it');
    assert.deepEqual(named.inputSchema, {
      type: 'object',
      properties: { a: { description: 'x⟨U+200B⟩y', enum: ['p\u200Bq'] }, description: { anyOf: [{ title: 'z⟨U+202E⟩' }] } },
    });
  });

  it('stay within 64 plain characters and do not depend on other servers', () => {
    const odd = server('user:ü', 'ü', 'x'.repeat(200), 'with space', 'mit.punkt');
    const alone = new ModelToolNames().name([odd]).map((each) => each.name);
    const among = new ModelToolNames().name([server('user:z', 'z', 'one'), odd]).map((each) => each.name);
    assert.deepEqual(among.slice(1), alone);
    assert.ok(alone.every((name) => /^[a-zA-Z0-9_-]{1,64}$/.test(name)));
  });
});
