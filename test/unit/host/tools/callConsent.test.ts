import assert from 'node:assert/strict';
import { DisposableStore } from '../../../../src/base/lifecycle.ts';
import { OpenQuestions } from '../../../../src/consent/openQuestions.ts';
import type { Choice, Question } from '../../../../src/contract/questions/questions.ts';
import { seeRequest } from '../../../../src/host/tools/callConsent.ts';
import { onlyLooking } from '../../../../src/server/offer/tools/toolRisk.ts';
import { hostWithEditor, type HostWithEditor } from '../hostWithEditor.ts';
import { createTestHost, textOf, type TestHost } from '../support.ts';

const callChoices = ['deny', 'denyAlways', 'allowOnce', 'allowSession', 'allowWorkspace', 'allowAlways'];

describe('What only looks at the editor', () => {
  let host: TestHost;
  let serverId: string;
  let close: HostWithEditor['close'];
  beforeEach(async () => {
    ({ host, serverId, close } = await hostWithEditor());
  });
  afterEach(() => close());

  const kinds = (): readonly string[] => host.asked.map(({ detail }) => `${detail.kind} ${'tool' in detail ? detail.tool : ''}`);
  const call = (tool: string, more: Parameters<TestHost['call']>[2] = {}): ReturnType<TestHost['call']> =>
    host.call(tool, tool === 'read_file' ? { path: 'src/a.ts' } : {}, { serverId, ...more });
  const answerWith = (choice: Choice): void => void (host.answer = () => choice);

  it('is asked about once for the chat, with all that is meant and the call that waits', async () => {
    answerWith('allowSession');
    assert.equal((await call('read_file', { asker: { kind: 'model', name: 'Cla\u200Bude' } })).kind, 'result');
    for (const tool of ['list_open_editors', 'get_diagnostics', 'get_test_results', 'search_symbols']) {
      assert.equal((await call(tool)).kind, 'result', tool);
    }
    assert.deepEqual(
      host.asked.map(({ detail, choices, why }) => ({ detail, choices, why })),
      [
        {
          detail: {
            kind: 'seeEditor',
            asker: { kind: 'model', name: 'Cla⟨U+200B⟩ude' },
            server: 'editor',
            tool: 'read_file',
            arguments: '{\n  "path": "src/a.ts"\n}',
            tools: onlyLooking.toSorted(),
            destination: { kind: 'guide' },
          },
          choices: callChoices,
          why: 'new',
        },
      ],
    );
  });

  it('allowed once is allowed for that call alone', async () => {
    answerWith('allowOnce');
    await call('read_file');
    await call('read_file');
    await call('list_open_editors');
    assert.deepEqual(kinds(), ['seeEditor read_file', 'seeEditor read_file', 'seeEditor list_open_editors']);
  });

  it('leaves terminals, what is shown to the person and what acts with questions of their own', async () => {
    answerWith('allowAlways');
    await call('read_file');
    answerWith('deny');
    for (const tool of ['get_terminal_output', 'show_message', 'open_file']) {
      assert.equal((await call(tool)).kind, 'denied', tool);
    }
    assert.equal((await host.call('save_file', { path: 'src/a.ts' }, { serverId })).kind, 'denied');
    assert.deepEqual(kinds().slice(1), ['callTool get_terminal_output', 'callTool show_message', 'callTool open_file', 'ownAct save_file']);
    assert.ok(
      host.asked.every(({ choices }) => !choices.includes('allowWhen')),
      'no rule covers a tool of the editor',
    );
  });

  it('is asked about tool by tool for Run Tool and for commands, which share nothing with the chat', async () => {
    answerWith('allowAlways');
    await call('read_file');
    answerWith('deny');
    for (const principal of ['palette', 'command'] as const) {
      assert.deepEqual(await call('read_file', { principal }), { kind: 'denied', by: 'person' });
    }
    assert.deepEqual(kinds().slice(1), ['callTool read_file', 'callTool read_file']);
    assert.equal(
      host.asked.some(({ detail }) => detail.kind === 'callTool' && detail.otherTools !== undefined),
      false,
      'the editor is not answered about as a whole',
    );
  });

  it('refused for good is refused whole, and a tool that was refused alone stays so', async () => {
    const tool = host.server('editor').tools.find(({ name }) => name === 'read_file');
    assert.ok(tool);
    const alone = { principal: 'chat', action: 'callTool', fingerprint: 'of an earlier version', material: {} } as const;
    await host.ledger.remember({ ...alone, subject: ['server', serverId, 'tool', 'read_file'] }, 'deny', 'always');
    answerWith('allowAlways');
    assert.equal((await call('list_open_editors')).kind, 'result');
    assert.deepEqual(await call('read_file'), { kind: 'denied', by: 'ledger' });
    await host.ledger.remember(seeRequest(serverId, onlyLooking, { kind: 'guide' }), 'deny', 'always');
    assert.deepEqual(await call('list_open_editors'), { kind: 'denied', by: 'ledger' });
    assert.equal(host.asked.length, 1);
  });

  it('is asked about again by name when there is more of it than was allowed', async () => {
    const others = [...onlyLooking.filter((name) => name !== 'read_file'), 'gone'];
    await host.ledger.remember(seeRequest(serverId, others, { kind: 'guide' }), 'allow', 'always');
    answerWith('deny');
    await call('get_selection');
    const [question] = host.asked;
    assert.deepEqual(
      [question?.why, question?.differences],
      [
        'changed',
        [
          { field: 'tools', before: 'gone' },
          { field: 'tools', after: 'read_file' },
        ],
      ],
    );
  });

  it('and was allowed for the offline guide is asked about again before it goes to a model, and the other way round', async () => {
    const model = { kind: 'model', name: 'claude-\u200Bx', address: 'https://model.example' } as const;
    const elsewhere = { ...model, address: 'https://other.example' } as const;
    answerWith('allowAlways');
    assert.equal((await call('read_file')).kind, 'result');
    for (const destination of [model, model, elsewhere, { kind: 'guide' } as const]) {
      assert.equal((await call('list_open_editors', { destination })).kind, 'result');
    }
    assert.deepEqual(
      host.asked.map(({ why, differences, detail }) => [why, differences, detail.kind === 'seeEditor' && detail.destination]),
      [
        ['new', [], { kind: 'guide' }],
        ['changed', [{ field: 'destination', before: '', after: 'https://model.example' }], { ...model, name: 'claude-⟨U+200B⟩x' }],
        [
          'changed',
          [{ field: 'destination', before: 'https://model.example', after: 'https://other.example' }],
          { ...elsewhere, name: 'claude-⟨U+200B⟩x' },
        ],
        ['changed', [{ field: 'destination', before: 'https://other.example', after: '' }], { kind: 'guide' }],
      ],
    );
  });

  it('and was allowed by a version that did not name who gets it is asked about again', async () => {
    const { material, ...older } = seeRequest(serverId, onlyLooking, { kind: 'guide' });
    await host.ledger.remember({ ...older, fingerprint: 'older', material: { tools: material['tools'] } }, 'allow', 'always');
    answerWith('deny');
    assert.equal((await call('read_file')).kind, 'denied');
    assert.deepEqual(host.asked[0]?.differences, [{ field: 'destination', after: '' }]);
  });

  it('and refused for good is refused whoever would get it', async () => {
    answerWith('denyAlways');
    await call('read_file');
    const destination = { kind: 'model', name: 'claude', address: 'https://model.example' } as const;
    assert.deepEqual(await call('read_file', { destination }), { kind: 'denied', by: 'ledger' });
  });

  it('and waits in several cards of one turn is settled by one answer that is remembered', async () => {
    const lifetime = new DisposableStore();
    const cards = lifetime.add(new OpenQuestions());
    const calling = ['read_file', 'list_open_editors', 'get_diagnostics'].map((tool) => call(tool, { ask: cards.ask }));
    const open = (): readonly Question[] => cards.list();
    await host.until(() => open().length === 3, 'three cards');
    // The cards may come in another order than the calls.
    cards.answer({ askId: open()[0]?.askId ?? '', choice: 'allowOnce' });
    assert.equal((await Promise.race(calling)).kind, 'result');
    assert.equal(open().length, 2, '“Allow once” is for its own call');
    cards.answer({ askId: open()[0]?.askId ?? '', choice: 'allowWorkspace' });
    assert.deepEqual(
      (await Promise.all(calling)).map(({ kind }) => kind),
      ['result', 'result', 'result'],
    );
    assert.deepEqual(open(), []);
    lifetime.dispose();
  });
});

describe('The tools of a configured server', () => {
  let host: TestHost;
  beforeEach(async () => {
    host = await createTestHost();
    await host.startScripted();
    host.asked.length = 0;
  });
  afterEach(() => host.close());

  const others = (question: Question | undefined): readonly string[] =>
    question?.detail.kind === 'callTool' ? (question.detail.otherTools ?? []).map(({ name }) => name) : [];
  const forAll = (choice: Choice): void => void (host.answer = () => ({ choice, allTools: true }));

  it('are all shown in the question about one of them, with what the model was told', async () => {
    await host.call('structured');
    const [question] = host.asked;
    assert.deepEqual(
      [...others(question), 'structured'].sort(),
      host
        .server('scripted')
        .tools.map(({ name }) => name)
        .sort(),
    );
    assert.ok(question?.detail.kind === 'callTool');
    assert.deepEqual(question.detail.otherTools?.[0], {
      name: 'echo',
      description: 'Gives back the text it is given.',
      claims: ['readOnly', 'notDestructive'],
      parameters: [{ name: 'text', type: 'string', isRequired: true, description: '', values: [], limits: [], isCut: false }],
    });
  });

  it('are allowed by one answer, and one that comes or changes later is asked about', async () => {
    forAll('allowWorkspace');
    await host.call('structured');
    assert.equal(textOf(await host.call('echo', { text: 'hello' })), 'hello');
    await host.call('change_echo', { add: 'newcomer' });
    await host.until(() => host.server('scripted').tools.some(({ name }) => name === 'newcomer'), 'the new tool');
    await host.call('change_echo');
    await host.until(() => host.server('scripted').tools[0]?.description.endsWith('elsewhere.') === true, 'the change');
    assert.equal(host.asked.length, 1);
    host.answer = () => 'deny';
    assert.equal((await host.call('newcomer')).kind, 'denied');
    assert.equal((await host.call('echo', { text: 'hello' })).kind, 'denied');
    assert.equal((await host.call('structured')).kind, 'result');
    assert.deepEqual(
      host.asked.slice(1).map(({ why, detail }) => [why, 'tool' in detail && detail.tool]),
      [
        ['new', 'newcomer'],
        ['changed', 'echo'],
      ],
    );
  });

  it('are refused by one answer, later ones too, and only for whoever asked', async () => {
    forAll('denyAlways');
    await host.call('structured');
    assert.deepEqual(await host.call('echo', { text: 'x' }), { kind: 'denied', by: 'ledger' });
    host.answer = () => 'allowOnce';
    await host.call('change_echo', { add: 'newcomer' }, { principal: 'palette' });
    await host.until(() => host.server('scripted').tools.some(({ name }) => name === 'newcomer'), 'the new tool');
    assert.deepEqual(await host.call('newcomer'), { kind: 'denied', by: 'ledger' });
  });

  it('are not among those to allow when they are refused', async () => {
    host.answer = () => 'denyAlways';
    await host.call('hang');
    forAll('allowAlways');
    await host.call('structured');
    assert.equal(others(host.asked.at(-1)).includes('hang'), false);
    const { detail } = host.asked.at(-1) ?? {};
    assert.equal(detail?.kind === 'callTool' && detail.refusedTools, 1, 'and the question says that there is one more');
    assert.deepEqual(await host.call('hang'), { kind: 'denied', by: 'ledger' });
  });

  it('are answered about one by one when there is only one, or more than anybody would read', async () => {
    await host.startScripted('normal', { tools: { include: ['echo'] } });
    host.asked.length = 0;
    await host.call('echo', { text: 'x' });
    assert.deepEqual([host.asked.length, others(host.asked[0])], [1, []]);
    await host.startScripted();
    host.answer = () => 'allowSession';
    for (let count = 0; count < 100; count += 1) {
      await host.call('change_echo', { add: `more_${count}` });
    }
    await host.until(() => host.server('scripted').tools.length > 100, 'many tools');
    host.asked.length = 0;
    await host.call('structured');
    assert.deepEqual([host.asked.length, others(host.asked[0])], [1, []]);
  });
});
