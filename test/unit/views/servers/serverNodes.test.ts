import assert from 'node:assert/strict';
import type { ServerSnapshot, ToolInfo } from '../../../../src/host/shared/serverState.ts';
import { isFromCaller } from '../../../../src/views/runner/toolCallArgument.ts';
import {
  commandOf,
  groupsOf,
  membersOf,
  pickedMemberOf,
  pickedToolOf,
  serverNode,
  type Member,
} from '../../../../src/views/servers/serverNodes.ts';

const tool = (name: string, description = ''): ToolInfo => ({
  name,
  title: undefined,
  description,
  inputSchema: {},
  outputSchema: undefined,
  annotations: undefined,
});

const snapshot = (tools: readonly ToolInfo[], rest: Partial<ServerSnapshot> = {}): ServerSnapshot => ({
  id: 'user:a',
  name: 'a',
  label: 'a',
  scope: 'user',
  location: '',
  hasInputs: false,
  state: { kind: 'stopped', reason: 'byUser' },
  tools,
  prompts: [],
  resources: [],
  templates: [],
  skills: [],
  problems: [],
  ...rest,
});

describe('The nodes of the servers tree', () => {
  it('have a group for each kind of thing the server offers, and none for what it does not', () => {
    const prompts = [{ name: 'p', title: undefined, description: '', arguments: [] }];
    const node = serverNode(snapshot([tool('t')], { prompts }));
    assert.deepEqual(
      groupsOf(node).map(({ group }) => group),
      ['tools', 'prompts'],
    );
  });

  it('stay the same over a refresh and show what is new', () => {
    const node = serverNode(snapshot([tool('x'), tool('y')]));
    const [group] = groupsOf(node);
    assert.ok(group);
    const [x] = membersOf(group);
    node.server = snapshot([tool('x', 'changed'), tool('z')]);
    assert.equal(groupsOf(node)[0], group);
    const after = membersOf(group);
    assert.equal(after[0], x);
    assert.deepEqual(
      after.map(({ key, member }) => [key, member.kind === 'tool' && member.tool.description]),
      [
        ['x', 'changed'],
        ['z', ''],
      ],
    );
    assert.equal(group.members.size, 2, 'what is gone is forgotten');
    assert.deepEqual(pickedToolOf(x), { server: node.server, tool: tool('x', 'changed') });
  });

  it('run or open with a click what they offer', () => {
    const described = { name: 'x', title: undefined, description: '' };
    const members: readonly Member[] = [
      { kind: 'tool', tool: tool('x') },
      { kind: 'prompt', prompt: { ...described, arguments: [] } },
      { kind: 'resource', resource: { ...described, uri: 'x:/', mimeType: undefined, size: undefined } },
      { kind: 'template', template: { ...described, uriTemplate: 'x:/{y}', mimeType: undefined } },
    ];
    assert.deepEqual(members.map(commandOf), ['runTool', 'runPrompt', 'openResource', 'openResource']);
    const server = snapshot([tool('x')]);
    const [row] = groupsOf(serverNode(server)).flatMap(membersOf);
    assert.deepEqual(pickedMemberOf(row), { server, member: { kind: 'tool', tool: tool('x') } });
  });

  it('are what the tree made, and not what somebody else makes to look alike', () => {
    const server = snapshot([tool('x')]);
    const [row] = groupsOf(serverNode(server)).flatMap(membersOf);
    const forged = { kind: 'member', server, member: { kind: 'tool', tool: tool('x') } };
    assert.deepEqual([pickedMemberOf({ ...row }), pickedMemberOf(forged), pickedMemberOf(undefined)], [undefined, undefined, undefined]);
    assert.deepEqual([row, { ...row }, forged].map(isFromCaller), [false, true, true]);
  });

  it('differ for two tools of one name', () => {
    const [group] = groupsOf(serverNode(snapshot([tool('x'), tool('x')])));
    assert.deepEqual(group && membersOf(group).map(({ key }) => key), ['x', 'x~2']);
  });

  it('give a tool only for the row of a tool', () => {
    assert.deepEqual([undefined, {}, { kind: 'server' }, { kind: 'member', server: {}, member: { kind: 'prompt' } }].map(pickedToolOf), [
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
