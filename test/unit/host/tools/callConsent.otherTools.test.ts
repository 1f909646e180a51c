import assert from 'node:assert/strict';
import type { ConsentRequest, ConsentVerdict } from '../../../../src/consent/consentModel.ts';
import { otherToolsOf, type OtherTools } from '../../../../src/host/tools/callConsent.ts';
import type { ToolInfo } from '../../../../src/host/shared/serverState.ts';
import { longestBlock } from '../../../support/longestBlock.ts';

const undecided = { verdict: (): ConsentVerdict => ({ kind: 'ask', why: 'new' }) };

function makeTool(name: string, more: Partial<ToolInfo> = {}): ToolInfo {
  const nothing = { title: undefined, outputSchema: undefined, annotations: undefined };
  return { name, description: '', inputSchema: { type: 'object' }, ...nothing, ...more };
}

function ask(tools: readonly ToolInfo[], gate: Parameters<typeof otherToolsOf>[3] = undecided): OtherTools | undefined {
  const [tool = makeTool('none')] = tools;
  return otherToolsOf('chat', { serverId: 'user:demo', server: 'demo', identity: 'i', tool, risk: 'unknown' }, tools, gate);
}

/** As many properties, each with something invisible, as make about this many characters of JSON. */
function hostileSchema(length: number): ToolInfo['inputSchema'] {
  const names = Array.from({ length: length / 40 }, (_, index) => `p${index}`);
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { description: 'a\u200Bb\u200Bc' }])) };
}

describe('The other tools of a server', () => {
  it('are offered with what would be remembered of each, without those that are refused', () => {
    const gate = {
      verdict: (request: ConsentRequest): ConsentVerdict =>
        request.subject.at(-1) === 'b'
          ? { kind: 'deny', answer: { ...request, id: '', answer: 'deny', scope: 'always', since: '' } }
          : undecided.verdict(),
    };
    const others = ask([makeTool('a'), makeTool('b'), makeTool('c'), makeTool('d')], gate);
    assert.deepEqual(
      others?.requests.map(({ principal, subject }) => [principal, ...subject]),
      [
        ['chat', 'server', 'user:demo', 'tool', 'c'],
        ['chat', 'server', 'user:demo', 'tool', 'd'],
      ],
    );
    assert.deepEqual([others.shown.map(({ name }) => name), others.refused], [['c', 'd'], 1]);
  });

  it('hold nothing up when there is more of them than anybody would read, however many calls wait', async () => {
    const schema = hostileSchema(80_000);
    const tools = Array.from({ length: 100 }, (_, index) => makeTool(`tool_${index}`, { inputSchema: schema, outputSchema: schema }));
    const offered: unknown[] = [];
    const block = await longestBlock(async () => {
      for (let call = 0; call < 20; call += 1) {
        offered.push(ask(tools));
      }
      await Promise.resolve();
    });
    assert.deepEqual(new Set(offered), new Set([undefined]));
    assert.ok(block < 500, `nothing else happened for ${block} ms`);
  });

  it('are not offered when what nobody is shown would make what is kept too long', () => {
    const small = makeTool('small');
    assert.equal(ask([small, makeTool('b', { outputSchema: { description: 'x'.repeat(310_000) } })])?.shown.length, undefined);
    assert.equal(ask([small, makeTool('b', { outputSchema: { description: 'a\u200B'.repeat(100_000) } })])?.shown.length, undefined);
    assert.equal(ask([small, makeTool('b', { outputSchema: { description: 'x'.repeat(100_000) } })])?.shown.length, 1);
  });

  it('are looked at once for all calls that wait, and again when the list is another one', () => {
    let looks = 0;
    const schema = { type: 'object' };
    const watched: ToolInfo = Object.defineProperty(makeTool('b'), 'inputSchema', { get: () => ((looks += 1), schema) });
    const tools = [makeTool('a'), watched];
    ask(tools);
    const once = looks;
    ask(tools);
    ask(tools);
    assert.deepEqual([once > 0, looks], [true, once]);
    ask([...tools]);
    assert.ok(looks > once);
  });
});
