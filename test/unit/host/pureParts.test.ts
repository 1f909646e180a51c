import assert from 'node:assert/strict';
import { toResultItems } from '../../../src/host/tools/resultItems.ts';
import { ModelToolNames } from '../../../src/host/modelTools.ts';
import type { ServerSnapshot, ToolInfo } from '../../../src/host/shared/serverState.ts';
import { readAllPages, type Page } from '../../../src/host/shared/listReading.ts';
import type { Client } from '../../../src/host/shared/sdk.ts';
import { listTools, matchesWildcard, readTools } from '../../../src/host/connection/toolList.ts';
import { silentLog } from '../../../src/base/log.ts';

describe('Results for people', () => {
  it('keep every kind of content', () => {
    const content = [
      { type: 'text', text: 'seen\u200Bunseen' },
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
      { type: 'audio', mimeType: 'audio/wav', data: 'BBBB' },
      { type: 'resource_link', uri: 'file:///a.txt', name: 'a.txt' },
      { type: 'resource', resource: { uri: 'file:///b.txt', text: 'inside' } },
      { type: 'resource', resource: { uri: 'file:///c.png', mimeType: 'image/png', blob: 'CCCC' } },
      { type: 'resource', resource: { uri: 'file:///d.zip', mimeType: 'application/zip', blob: 'DDDD' } },
      { type: 'hologram', data: 1 },
    ];
    assert.deepEqual(toResultItems({ isError: false, content }), [
      { kind: 'text', text: 'seen⟨U+200B⟩unseen' },
      { kind: 'image', mimeType: 'image/png', data: 'AAAA' },
      { kind: 'audio', mimeType: 'audio/wav', data: 'BBBB' },
      { kind: 'link', uri: 'file:///a.txt', name: 'a.txt' },
      { kind: 'text', text: 'inside' },
      { kind: 'image', mimeType: 'image/png', data: 'CCCC' },
      { kind: 'link', uri: 'file:///d.zip', name: 'file:///d.zip' },
      { kind: 'structured', json: '{\n  "type": "hologram",\n  "data": 1\n}' },
    ]);
  });

  it('show text that says something else than the structured content as well', () => {
    const items = toResultItems({ isError: false, content: [{ type: 'text', text: 'It is 42.' }], structuredContent: { answer: 42 } });
    assert.deepEqual(items, [
      { kind: 'text', text: 'It is 42.' },
      { kind: 'structured', json: '{\n  "answer": 42\n}' },
    ]);
  });

  it('are shown once where the text is known to say all of it', () => {
    const result = { isError: false, content: [{ type: 'text', text: 'It is 42.' }], structuredContent: { answer: 42 } };
    assert.deepEqual(toResultItems(result, true), [{ kind: 'text', text: 'It is 42.' }]);
    assert.deepEqual(toResultItems({ ...result, content: [] }, true), [{ kind: 'structured', json: '{\n  "answer": 42\n}' }]);
  });

  it('survive JSON in a text that is nested beyond the stack', () => {
    const text = '['.repeat(50_000) + ']'.repeat(50_000);
    assert.equal(toResultItems({ isError: false, content: [{ type: 'text', text }], structuredContent: [] }).length, 2);
  });
});

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

describe('The list of tools', () => {
  it('is refused when it is too large as a whole, though each of its tools is within measure', async () => {
    let pages = 0;
    const tool = { name: 'a', description: 'x'.repeat(200_000), inputSchema: { type: 'object' } };
    const client = {
      getServerCapabilities: () => ({ tools: {} }),
      request: () => Promise.resolve({ tools: Array(10).fill(tool), nextCursor: String((pages += 1)) }),
    } as unknown as Client;
    const read = listTools(client, { timeout: 1_000, signal: new AbortController().signal });
    await assert.rejects(read, { code: 'host.listTooLarge' });
    const readPage = (): Promise<Page> => Promise.resolve({ items: Array(10).fill(tool), nextCursor: String((pages += 1)) });
    await assert.rejects(readAllPages('prompts', readPage), { code: 'host.listTooLarge' });
    assert.ok(pages <= 10, `${pages} pages were read`);
  });

  it('keeps each name once and leaves out what is too large or too deep', () => {
    let deep: object = {};
    for (let level = 0; level < 100; level += 1) {
      deep = { properties: deep };
    }
    const raw = [
      { name: 'twice', description: 'first' },
      { name: 'twice', description: 'second' },
      { name: '' },
      { name: 'huge', description: 'x'.repeat(300_000) },
      { name: 'deep', inputSchema: deep as Record<string, never> },
    ];
    assert.deepEqual(
      readTools(raw, undefined, silentLog).map(({ name, description }) => [name, description]),
      [['twice', 'first']],
    );
  });
});

describe('Patterns for tool names', () => {
  it('know any characters and one character', () => {
    const cases = [
      ['read_file', '*', true],
      ['read_file', 'read_*', true],
      ['read_file', '*file', true],
      ['read_file', 'r?ad_*e', true],
      ['read_file', 'read', false],
      ['read.file', 'read.file', true],
      ['readxfile', 'read.file', false],
      ['', '**', true],
      ['', '?', false],
    ] as const;
    assert.deepEqual(
      cases.map(([text, pattern]) => matchesWildcard(text, pattern)),
      cases.map(([, , expected]) => expected),
    );
  });

  it('written to take for ever take no time', () => {
    const start = performance.now();
    assert.equal(matchesWildcard('a'.repeat(2_000), `${'*a'.repeat(500)}b`), false);
    assert.ok(performance.now() - start < 10_000);
  });
});
