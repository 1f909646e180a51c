import assert from 'node:assert/strict';
import type { Choice, Question, QuestionDetail } from '../../../../../src/contract/questions/questions.ts';
import type { Asker } from '../../../../../src/contract/questions/callKnowledge.ts';
import type { ClientActQuestion, OwnActQuestion } from '../../../../../src/contract/questions/clientQuestions.ts';
import type { ContentDestination, SendContentQuestion } from '../../../../../src/contract/questions/sentContent.ts';
import type { Role } from '../../../../../src/contract/questions/rolesAndClaims.ts';
import { shownDifferences } from '../../../../../src/webview/question/details/sendContentTexts.ts';
import { differenceSegments } from '../../../../../src/webview/question/details/differences.tsx';
import { roleLabel } from '../../../../../src/webview/question/details/clientTexts.ts';
import { shortTitle } from '../../../../../src/webview/question/details/callTexts.ts';
import {
  arrangeChoices,
  buttonLabel,
  changeNote,
  choiceLabel,
  claimsLine,
  isPrimary,
  questionName,
  questionTitle,
  refusedNote,
  whatHappens,
  whoAsks,
} from '../../../../../src/webview/question/details/questionTexts.ts';
import { wholeText } from '../../../../../src/webview/shared/wholeText.ts';
import { samplingQuestion } from '../samplingQuestion.ts';

const ask = (detail: QuestionDetail): Question => ({ askId: 'q', detail, why: 'new', differences: [], choices: [] });
const callTool = {
  kind: 'callTool',
  asker: { kind: 'model', name: 'Claude' },
  server: 'demo',
  tool: 'echo',
  description: '',
  claims: [],
  arguments: '{}',
  risk: 'unknown',
} as const satisfies QuestionDetail;
const start: QuestionDetail = { kind: 'startServer', server: 'demo', configuredIn: 'user settings', fields: [], disclosures: [] };
const identity = { callsItself: 'X', transport: 'http', credential: 'windowToken', credentialId: 'window-1' } as const;
const connect: QuestionDetail = { kind: 'connectClient', ...identity, roles: ['reader', 'editor', 'runner'] };
const act = (what: ClientActQuestion['what'], neededRole?: Role): QuestionDetail => ({
  kind: 'clientAct',
  ...identity,
  tool: 'run_tests',
  role: 'reader',
  ...(neededRole === undefined ? {} : { neededRole }),
  what,
});

const notes: SendContentQuestion = {
  kind: 'sendContent',
  server: 'demo',
  source: { kind: 'resource', uri: 'demo://notes', name: 'Notes' },
  destination: { kind: 'guide' },
  items: [],
  bytes: 0,
  secrets: [],
  invisible: 0,
};

describe('The words of a permission question', () => {
  it('say what of whom would go where', () => {
    const claude: SendContentQuestion = {
      ...notes,
      destination: { kind: 'model', name: 'Claude', address: 'https://api.anthropic.com/v1' },
    };
    const prompt: QuestionDetail = { ...claude, source: { kind: 'prompt', name: 'review', description: '', arguments: [] } };
    assert.deepEqual(
      [notes, prompt].map((detail) => questionName(ask(detail))),
      [
        'Permission: Send the resource “Notes” of the server “demo” to the offline guide?',
        'Permission: Send the prompt “review” of the server “demo” to Claude?',
      ],
    );
    assert.match(whatHappens(ask(notes)), /on this computer: nothing leaves it/);
    assert.match(whatHappens(ask(claude)), /goes to Claude at api\.anthropic\.com with every message/);
    assert.match(whoAsks(ask(notes), 'chat'), /The server “demo” wrote it/);
  });

  it('have the names that screen readers and tests rely on', () => {
    assert.deepEqual(
      [callTool, start, connect].map((detail) => questionName(ask(detail))),
      [
        'Permission: Claude wants to run “echo” of the server “demo”',
        'Permission: Start the server “demo”?',
        'Permission: A program that calls itself “X” wants to see this editor',
      ],
    );
    assert.deepEqual(
      (
        ['allow', 'allowOnce', 'allowSession', 'allowWorkspace', 'allowAlways', 'deny', 'denyAlways', 'raiseRole', 'saveAndRun'] as const
      ).map(choiceLabel),
      [
        'Allow',
        'Allow once',
        'Allow for this session',
        'Allow in this workspace',
        'Always allow',
        'Deny',
        'Always deny',
        'Raise role for this session',
        'Save all and run',
      ],
    );
    assert.deepEqual((['reader', 'editor', 'runner'] as const).map(roleLabel), ['Reader', 'Editor', 'Runner']);
    assert.equal(changeNote(ask(connect)), 'Something has changed since you last allowed it.');
  });

  it('say of the chat that it reads the editor, all that is meant and where it goes', () => {
    const see = (asker: Asker, destination: ContentDestination): Question =>
      ask({ kind: 'seeEditor', asker, server: 'editor', tool: 'read_file', arguments: '{}', tools: ['read_file'], destination });
    const claude = { kind: 'model', name: 'claude-x', address: 'https://model.example/v1' } as const;
    const [model, guide] = [see({ kind: 'model', name: 'Claude' }, claude), see({ kind: 'guide' }, { kind: 'guide' })];
    assert.deepEqual([model, guide].map(questionName), [
      'Permission: Claude wants to read this workspace’s files, problems, symbols and test results',
      'Permission: The offline guide wants to read this workspace’s files, problems, symbols and test results',
    ]);
    assert.deepEqual([model, guide].map(whatHappens), [
      'It changes nothing. What it reads goes to model.example with your conversation.',
      'It changes nothing, and what it reads stays on this machine. Before it goes to a model, you are asked again.',
    ]);
    const elsewhere = { ...model, differences: [{ field: 'destination', before: '', after: 'https://model.example/v1' }] };
    assert.equal(changeNote(elsewhere), 'What is read goes to somebody else than when you last allowed it.');
    assert.deepEqual(shownDifferences(elsewhere), [
      { field: 'Destination', before: 'The offline guide', after: 'https://model.example/v1' },
    ]);
    assert.equal(changeNote(model), 'There are other tools that only look than when you last allowed it.');
    assert.match(whoAsks(model, 'chat'), /Withheld files and terminals are not included\.$/);
  });

  it('name who asked for a tool, never the server that carries it out', () => {
    const askers: readonly Asker[] = [
      { kind: 'model', name: 'Cla\u200Bude' },
      { kind: 'guide' },
      { kind: 'person' },
      { kind: 'task', name: 'ni\u200Bghtly' },
      { kind: 'command' },
    ];
    assert.deepEqual(
      askers.map((asker) => questionTitle(ask({ ...callTool, asker }))),
      [
        'Cla⟨U+200B⟩ude wants to run “echo” of the server “demo”',
        'The offline guide wants to run “echo” of the server “demo”',
        'You want to run “echo” of the server “demo” (Run Tool)',
        'The task “ni⟨U+200B⟩ghtly” wants to run “echo” of the server “demo”',
        'A key binding or an extension wants to run “echo” of the server “demo”',
      ],
    );
  });

  it('put all that a server claims of its tool into one plain line', () => {
    assert.equal(claimsLine(['readOnly', 'closedWorld']), 'The server claims: read-only, does not reach the network');
  });

  it('say how many tools an answer for all of a server leaves refused', () => {
    assert.deepEqual([1, 2].map(refusedNote), ['1 more tool is refused and stays refused.', '2 more tools are refused and stay refused.']);
  });

  it('name what an outside program would do', () => {
    const acts: ClientActQuestion['what'][] = [
      { kind: 'call', arguments: '{}' },
      { kind: 'read', uri: 'terminal://1' },
      { kind: 'command', commandLine: 'make', cwd: '/projects/demo', terminal: '/bin/sh' },
      { kind: 'script', commandLine: 'npm test', chain: { steps: [], unknown: [] }, cwd: '/projects/demo' },
      {
        kind: 'script',
        commandLine: 'npm test',
        chain: { steps: [], unknown: [] },
        cwd: '/projects/demo',
        next: [{ commandLine: 'python3 -m unittest', chain: { steps: [], unknown: [] }, cwd: '/projects/till' }],
      },
      { kind: 'task', name: 'build', definition: '{}', chain: { steps: [], unknown: [] } },
      { kind: 'save', path: 'src/a.ts' },
      { kind: 'codeAction', title: 'Fix all', path: 'src/a.ts', command: '{}' },
      { kind: 'debug', name: 'Run', definition: '{}', chain: { steps: [], unknown: [] } },
      { kind: 'debugCode', code: [{ place: 'expression', text: 'x' }] },
      { kind: 'debugSession', session: 'Run (debug-1)' },
    ];
    const start = 'Permission: A program that calls itself “X” wants to';
    assert.deepEqual(
      acts.map((what) => questionName(ask(act(what)))),
      [
        `${start} use “run_tests”`,
        `${start} read “terminal://1”`,
        `${start} run a command`,
        `${start} run “npm test”`,
        `${start} run “npm test; python3 -m unittest”`,
        `${start} run the task “build”`,
        `${start} save “src/a.ts”`,
        `${start} run the code action “Fix all”`,
        `${start} debug “Run”`,
        `${start} run code in the debugger`,
        `${start} use your debug session “Run (debug-1)”`,
      ],
    );
    assert.match(whatHappens(ask(act({ kind: 'call', arguments: '{}' }, 'runner'))), /above its role: it takes Runner/);
  });

  it('name what the chat and the other surfaces here would do, and who asks for it', () => {
    const own = (what: OwnActQuestion['what'], asker: Asker): QuestionDetail => ({
      kind: 'ownAct',
      asker,
      tool: 'run_tests',
      what,
    });
    const chain = { steps: [], unknown: [] };
    const acts: OwnActQuestion['what'][] = [
      { kind: 'command', commandLine: 'make', cwd: '/projects/demo', terminal: '/bin/sh' },
      { kind: 'script', commandLine: 'npm test', chain, cwd: '/projects/demo' },
      { kind: 'task', name: 'build', definition: '{}', chain },
      { kind: 'save', path: 'src/a.ts' },
      { kind: 'codeAction', title: 'Fix all', path: 'src/a.ts', command: '{}' },
      { kind: 'debug', name: 'Run', definition: '{}', chain },
      { kind: 'debugCode', code: [{ place: 'expression', text: 'x' }] },
      { kind: 'debugSession', session: 'Run (debug-1)' },
    ];
    const does = [
      'run a command in a terminal',
      'run “npm test”',
      'run the task “build”',
      'save “src/a.ts”',
      'run the code action “Fix all”',
      'debug “Run”',
      'run code in the debugger',
      'use your debug session “Run (debug-1)”',
    ];
    const askers: readonly Asker[] = [
      { kind: 'model', name: 'Cla\u200Bude' },
      { kind: 'guide' },
      { kind: 'person' },
      { kind: 'task', name: 'ni\u200Bghtly' },
      { kind: 'command' },
    ];
    assert.deepEqual(
      askers.map((asker) => acts.map((what) => questionName(ask(own(what, asker))))),
      [
        does.map((act) => `Permission: Cla⟨U+200B⟩ude wants to ${act}`),
        does.map((act) => `Permission: The offline guide wants to ${act}`),
        does.map((act) => `Permission: You want to ${act} (Run Tool)`),
        does.map((act) => `Permission: The task “ni⟨U+200B⟩ghtly” wants to ${act}`),
        does.map((act) => `Permission: A key binding or an extension wants to ${act}`),
      ],
    );
    const save = { kind: 'save', path: 'src/a.ts' } as const;
    assert.deepEqual(
      askers.map((asker) => whoAsks(ask(own(save, asker)), 'panel')),
      [
        'Asked for in this conversation.',
        'Asked for in this conversation.',
        'You asked for this with Run Tool.',
        'The task “ni⟨U+200B⟩ghtly” asks for this.',
        'A key binding or another extension asks for this.',
      ],
    );
    const effect = (...choices: Choice[]): string => whatHappens({ ...ask(own(save, { kind: 'guide' })), choices });
    assert.match(effect('deny', 'allowOnce', 'allowSession'), /it saves any file without asking/);
    assert.doesNotMatch(effect('deny', 'allowOnce'), /any file/);
  });

  it('put the raised role after the answer that lets one call through', () => {
    assert.deepEqual(arrangeChoices(['deny', 'allowOnce', 'raiseRole']), { safe: ['deny'], yes: ['allowOnce', 'raiseRole'], more: [] });
  });

  it('are those of people where a server asks for something', () => {
    const form: QuestionDetail = { kind: 'elicitation', server: 'demo', message: '', request: { mode: 'form', fields: [] } };
    const link: QuestionDetail = { ...form, request: { mode: 'url', url: 'https://example.com/', host: 'example.com' } };
    const usage = { inputTokens: 1, outputTokens: 1 };
    const response: QuestionDetail = { kind: 'samplingResponse', server: 'demo', model: 'm', parts: [], stopReason: 'endTurn', usage };
    const roots: QuestionDetail = { kind: 'roots', server: 'demo', folders: [] };
    const signIn: QuestionDetail = { kind: 'signIn', server: 'demo', issuer: 'https://auth.example' };
    assert.deepEqual(
      [form, link, samplingQuestion(), response, roots, signIn].map((detail) => [
        questionName(ask(detail)),
        ...(['deny', 'cancel', 'allowOnce'] as const).map((choice) => buttonLabel(choice, detail)),
      ]),
      [
        ['Permission: The server “demo” asks you for information', 'Decline', 'Cancel', 'Submit'],
        ['Permission: The server “demo” asks you to open a link', 'Decline', 'Cancel', 'Open link'],
        ['Permission: The server “demo” wants to use your language model', 'Deny', 'Cancel', 'Send request'],
        ['Permission: Return the model’s answer to the server “demo”?', 'Deny', 'Cancel', 'Return response'],
        ['Permission: The server “demo” wants to know the folders of this workspace', 'Deny', 'Cancel', 'Allow once'],
        ['Permission: Sign in to the server “demo” at https://auth.example?', 'Deny', 'Cancel', 'Allow once'],
      ],
    );
    assert.deepEqual(arrangeChoices(['deny', 'cancel', 'allowOnce']), { safe: ['deny', 'cancel'], yes: ['allowOnce'], more: [] });
  });

  it('say inside which call a server wants the model, or that it is inside none', () => {
    assert.equal(
      whoAsks(ask(samplingQuestion({ during: ['a', 'b'] })), 'panel'),
      'The server “demo” asks for this while it works on “a”, “b”.',
    );
    assert.match(whoAsks(ask(samplingQuestion()), 'panel'), /by itself: nothing that you asked of it is under way/);
  });

  it('show invisible characters in a name that a server or a program chose', () => {
    assert.equal(
      questionName(ask({ ...connect, callsItself: 'Cla\u200Bude' })),
      'Permission: A program that calls itself “Cla⟨U+200B⟩ude” wants to see this editor',
    );
  });

  it('say that a program runs when there is a command', () => {
    const fields = [{ name: 'command', value: 'npx', isDangerous: false }];
    assert.match(whatHappens(ask({ ...start, fields })), /program will run/);
  });

  it('put the safe answer first and the least far-reaching yes next to it', () => {
    const all = ['allowAlways', 'allowWorkspace', 'allowOnce', 'denyAlways', 'allowSession', 'deny'] as const;
    assert.deepEqual(arrangeChoices(all), {
      safe: ['deny'],
      yes: ['allowOnce', 'allowSession'],
      more: ['allowWorkspace', 'allowAlways', 'denyAlways'],
    });
    assert.deepEqual(arrangeChoices(['allow', 'allowSession', 'deny']), { safe: ['deny'], yes: ['allowSession', 'allow'], more: [] });
    assert.deepEqual(arrangeChoices(['allowSession', 'deny']), { safe: ['deny'], yes: ['allowSession'], more: [] });
    assert.deepEqual(arrangeChoices(['allowOnce']), { safe: [], yes: ['allowOnce'], more: [] });
    const withSafeWay = ['newConversation', 'deny', 'allowOnce'] as const;
    assert.deepEqual(arrangeChoices(withSafeWay), { safe: ['newConversation', 'deny'], yes: ['allowOnce'], more: [] });
    const toSave = ['deny', 'allowOnce', 'saveAndRun'] as const;
    assert.deepEqual(arrangeChoices([...toSave, 'allowSession']).yes, ['allowOnce', 'saveAndRun', 'allowSession']);
    assert.deepEqual(
      ([all, ['deny', 'allowSession', 'allow'], withSafeWay, toSave] as readonly (readonly Choice[])[]).map((choices) => {
        const { safe, yes } = arrangeChoices(choices);
        return [...safe, ...yes].filter((choice, _, shown) => isPrimary(choice, shown));
      }),
      [['allowOnce'], ['allow'], ['newConversation'], ['saveAndRun']],
    );
  });

  it('have the only yes as a button, however far it reaches', () => {
    assert.deepEqual(arrangeChoices(['deny', 'denyAlways', 'allowWorkspace']), {
      safe: ['deny'],
      yes: ['allowWorkspace'],
      more: ['denyAlways'],
    });
  });

  it('name in the short title who wants it, and which tool of which server', () => {
    const who = (asker: Asker): unknown => shortTitle(ask({ ...callTool, asker }))?.who;
    assert.deepEqual(shortTitle(ask(callTool)), { who: 'Claude', tool: 'echo', server: 'demo' });
    assert.deepEqual(
      [who({ kind: 'guide' }), who({ kind: 'person' }), who({ kind: 'task', name: 'now' }), who({ kind: 'command' })],
      ['Offline guide', 'You', 'Task “now”', 'Key binding or extension'],
    );
    assert.deepEqual(shortTitle(ask({ ...callTool, tool: 'a\u200Bb' }))?.tool, 'a⟨U+200B⟩b');
    assert.equal(shortTitle(ask(start)), undefined);
  });
});

describe('A difference', () => {
  it('strikes what went and marks what came, inside the text that stayed', () => {
    assert.deepEqual(differenceSegments('-y @good/server-everything', '-y @evil/server-everything --verbose'), [
      { kind: 'same', text: '-y @' },
      { kind: 'removed', text: 'good' },
      { kind: 'added', text: 'evil' },
      { kind: 'same', text: '/server-everything' },
      { kind: 'added', text: ' --verbose' },
    ]);
  });

  it('shows texts with little in common one after the other', () => {
    assert.deepEqual(differenceSegments('reads a file', 'deletes every folder at once'), [
      { kind: 'removed', text: 'reads a file' },
      { kind: 'added', text: 'deletes every folder at once' },
    ]);
  });

  it('knows what was not there before or is not there any more', () => {
    assert.deepEqual(differenceSegments(undefined, 'new'), [{ kind: 'added', text: 'new' }]);
    assert.deepEqual(differenceSegments('old', undefined), [{ kind: 'removed', text: 'old' }]);
    assert.deepEqual(differenceSegments('', ''), []);
  });

  it('loses no text, however long', () => {
    const [before, after] = ['a b '.repeat(2000), `x ${'a b '.repeat(1999)}y z`];
    const segments = differenceSegments(before, after);
    const without = (left: string): string => segments.map(({ kind, text }) => (kind === left ? '' : text)).join('');
    assert.equal(without('added'), before);
    assert.equal(without('removed'), after);
  });
});

describe('Text of a stranger on a card', () => {
  it('cannot push its end out of view with empty lines or spaces', () => {
    assert.equal(wholeText(`harmless${'\n'.repeat(200)}delete everything`), 'harmless\n⟨199 empty lines⟩\ndelete everything');
    assert.equal(wholeText(`harmless${' '.repeat(500)}delete everything`), 'harmless ⟨500 spaces⟩ delete everything');
    assert.equal(wholeText('one\n\n\ntwo    three'), 'one\n\n\ntwo    three');
  });
});
