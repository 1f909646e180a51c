import assert from 'node:assert/strict';
import type { AppAnswer, ShownApp, WantedTab } from '../../../../src/chat/apps/appPort.ts';
import type { AppFrame, WantedApp } from '../../../../src/contract/chat/appShowing.ts';
import type { AppViewMessage } from '../../../../src/chat/apps/chatApps.ts';
import { awayMs, ChatApps, maxLiveApps } from '../../../../src/chat/apps/chatApps.ts';
import { chatSentencesInEnglish } from '../../../../src/chat/conversation/chatSentences.ts';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { OpenQuestions } from '../../../../src/consent/openQuestions.ts';
import type { CallApp } from '../../../../src/contract/chat/appMessages.ts';
import type { ToolCallPart } from '../../../../src/contract/chat/chatState.ts';
import { finishAnswer } from '../../../../src/chat/turn/answerEnd.ts';
import { Emitter } from '../../../../src/base/events.ts';
import { DisposableStore } from '../../../../src/base/lifecycle.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const look = { theme: 'dark', variables: {}, width: 300, timeZone: 'UTC', touch: false, hover: true } as const;

describe('The apps of a chat', () => {
  let conversation: Conversation;
  let itemId: string;
  let apps: ChatApps;
  let lifetime: DisposableStore;
  let told: AppViewMessage[];
  let wanted: WantedApp[];
  let acts: string[];
  let answer: AppAnswer;
  let slow: Promise<AppAnswer> | undefined;
  let frames: AppFrame[];
  let tabs: WantedTab[];
  let isBusy: boolean;
  let clock: FakeClock;
  let questions: OpenQuestions;
  const opened = new Emitter<Conversation>();

  beforeEach(() => {
    lifetime = new DisposableStore();
    conversation = new Conversation();
    let ids = 0;
    itemId = conversation.begin('Draw', () => `i${(ids += 1)}`, []).assistantItemId;
    [told, wanted, acts, slow, frames, tabs] = [[], [], [], undefined, [], []];
    [isBusy, clock] = [false, new FakeClock()];
    const shown: ShownApp = {
      get isBusy() {
        return isBusy;
      },
      receive: (text) => void acts.push(`receive ${text}`),
      setLook: ({ theme }) => void acts.push(`look ${theme}`),
      end: async () => void acts.push('end'),
      dispose: () => void acts.push('dispose'),
    };
    const begin = (_look: unknown, frame: AppFrame): ShownApp => {
      frames.push(frame);
      return shown;
    };
    answer = { kind: 'opened', app: { html: '<p>', policy: "default-src 'none'", fingerprint: 'f', isOnce: true, begin } };
    questions = lifetime.add(new OpenQuestions());
    apps = new ChatApps({
      clock,
      session: {
        conversation,
        questions,
        send: async (text) => void acts.push(`send ${text}`),
        onDidOpen: opened.event,
      },
      port: {
        resultOf: (key) => (key === 'kept' ? { arguments: { a: 1 }, result: { content: [], _meta: { b: 2 } } } : undefined),
        open: async (app) => {
          wanted.push(app);
          return slow ?? answer;
        },
      },
      tabs: {
        openTab: async (tab) => {
          tabs.push(tab);
          return { say: (text) => void acts.push(`tab ${text}`), dispose: () => void acts.push('tab closed') };
        },
      },
      attach: async (partId, text, saidIn) => void acts.push(`attach ${partId} ${saidIn.server} ${saidIn.tool} ${text}`),
      sentences: chatSentencesInEnglish,
      report: () => undefined,
    });
    lifetime.add(apps.onMessage((message) => told.push(message)));
  });
  afterEach(() => {
    apps.dispose();
    lifetime.dispose();
    conversation.dispose();
  });

  function add(id: string, app: CallApp = { uri: 'ui://a', state: 'new' }): void {
    const part: ToolCallPart = {
      ...{ kind: 'toolCall', id, server: 's', serverId: 'user:s', tool: 't', state: 'done', arguments: '{"x": 1}', resultBytes: 1, app },
      result: [
        { kind: 'text', text: 'drawn' },
        { kind: 'structured', json: '{"y": 2}' },
      ],
    };
    conversation.addPart(itemId, part);
  }
  const appOf = (id: string): CallApp | undefined => {
    const part = conversation.assistant(itemId).parts.find((each) => each.id === id);
    return part?.kind === 'toolCall' ? part.app : undefined;
  };

  it('are shown when they are allowed, begin with their frame, and end with their state', async () => {
    add('p', { uri: 'ui://a', state: 'new', key: 'kept' });
    await apps.wake('p');
    assert.equal(appOf('p')?.state, 'live');
    assert.deepEqual(wanted[0]?.call, { arguments: { a: 1 }, result: { content: [], _meta: { b: 2 } } });
    apps.mounted('p', look);
    assert.deepEqual(told, [{ name: 'app/frame', body: { partId: 'p', html: '<p>', policy: "default-src 'none'" } }]);
    apps.said('p', 'x');
    apps.look('p', { ...look, theme: 'light' });
    await apps.close('p');
    assert.deepEqual([acts, appOf('p')?.state], [['receive x', 'look light', 'end', 'dispose'], 'asleep']);
    apps.said('p', 'late');
    assert.equal(acts.length, 4);
  });

  it('put what the model is to know beside the next message, each by its card', async () => {
    add('p');
    await apps.wake('p');
    await wanted[0]?.tellModel?.('two rows chosen');
    assert.deepEqual(acts, ['attach p s t two rows chosen']);
  });

  it('go into a tab of the editor and come back, each time after the app has tidied up', async () => {
    add('p');
    await apps.wake('p');
    apps.mounted('p', look);
    frames[0]?.declared?.(['inline', 'fullscreen']);
    assert.equal(appOf('p')?.canBeLarge, true);
    await apps.enlarge('p');
    assert.deepEqual([acts, appOf('p')?.state, tabs[0]?.isPressed, tabs[0]?.hasBack], [['end'], 'tab', true, true]);
    tabs[0]?.mounted({ ...look, height: 500 });
    assert.equal(frames[1]?.mode, 'fullscreen');
    frames[1].send('hello');
    tabs[0]?.said('x');
    apps.said('p', 'from the chat, where it is no more');
    apps.mounted('p', look);
    assert.deepEqual([acts.slice(1), frames.length], [['tab hello', 'receive x'], 2]);
    tabs[0]?.back();
    await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([acts.slice(3), appOf('p')?.state], [['end', 'dispose', 'tab closed', 'dispose', 'tab closed'], 'live']);
    apps.mounted('p', look);
    assert.equal(frames[2]?.mode, 'inline');
  });

  it('that the person closes in their tab are in the chat again, and those that ask for it themselves take no focus', async () => {
    add('p');
    await apps.wake('p');
    apps.mounted('p', look);
    frames[0]?.change?.('fullscreen');
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([appOf('p')?.state, tabs[0]?.isPressed], ['tab', false]);
    tabs[0]?.closed();
    assert.equal(appOf('p')?.state, 'live');
  });

  it('change by themselves no more than ten times', async () => {
    add('p');
    await apps.wake('p');
    for (let times = 0; times < 20; times += 1) {
      apps.mounted('p', look);
      frames.at(-1)?.change?.('fullscreen');
      await new Promise((resolve) => setImmediate(resolve));
      tabs.at(-1)?.closed();
    }
    assert.equal(tabs.length, 10);
    assert.equal(frames.at(-1)?.change, undefined);
  });

  it('open one tab, however often it is asked for at once, and none while they are closed', async () => {
    add('p');
    await apps.wake('p');
    apps.mounted('p', look);
    await Promise.all([apps.enlarge('p'), apps.enlarge('p')]);
    assert.equal(tabs.length, 1);
    tabs[0]?.closed();
    apps.mounted('p', look);
    acts = [];
    Array.from({ length: 20 }, () => frames[1]?.change?.('fullscreen'));
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([tabs.length, acts.filter((act) => act === 'end').length], [2, 10]);
    tabs[1]?.closed();
    apps.mounted('p', look);
    await Promise.all([apps.enlarge('p'), apps.close('p')]);
    assert.deepEqual([tabs.length, appOf('p')?.state], [2, 'asleep']);
  });

  it('whose frame does not load in the chat are shown in a tab, and sleep when that is closed or broken', async () => {
    add('p');
    await apps.wake('p');
    apps.mounted('p', look);
    apps.broke('p', 'notLoaded');
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([appOf('p')?.state, tabs[0]?.hasBack], ['tab', false]);
    tabs[0]?.mounted(look);
    assert.deepEqual([frames[1]?.mode, frames[1]?.change], ['inline', undefined]);
    tabs[0]?.closed();
    assert.equal(appOf('p')?.state, 'asleep');
    await apps.wake('p');
    apps.mounted('p', look);
    apps.broke('p', 'notLoaded');
    await new Promise((resolve) => setImmediate(resolve));
    tabs[1]?.broke('tooMany');
    assert.match(appOf('p')?.note ?? '', /more than 200 messages/);
  });

  it('begin anew when the page is loaded again', async () => {
    add('p');
    await apps.wake('p');
    apps.mounted('p', look);
    apps.mounted('p', look);
    assert.deepEqual([acts, told.length], [['dispose'], 2]);
  });

  it('stay asleep with a sentence where they are refused, missing, or were ended by the page', async () => {
    add('p');
    answer = { kind: 'denied', by: 'person' };
    await apps.wake('p');
    assert.deepEqual(appOf('p'), { uri: 'ui://a', state: 'asleep', note: 'You did not allow this app.' });
    answer = { kind: 'failed', sentence: 'The server is not running.' };
    await apps.wake('p');
    assert.equal(appOf('p')?.note, 'The server is not running.');
    answer = {
      kind: 'opened',
      app: { html: '', policy: '', fingerprint: 'f', isOnce: true, begin: () => assert.fail('no frame was made') },
    };
    await apps.wake('p');
    apps.broke('p', 'tooMany');
    assert.match(appOf('p')?.note ?? '', /more than 200 messages/);
  });

  it('that were shown first make room for later ones', async () => {
    const ids = Array.from({ length: maxLiveApps + 1 }, (_, index) => `p${index}`);
    for (const id of ids) {
      add(id);
      await apps.wake(id);
    }
    assert.deepEqual(
      ids.map((id) => appOf(id)?.state),
      ['asleep', ...ids.slice(1).map(() => 'live')],
    );
  });

  const away = { isSeen: false, hasFocus: false };
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('that were seen least recently make room, and never one that is in use', async () => {
    const ids = Array.from({ length: maxLiveApps }, (_, index) => `p${index}`);
    for (const id of [...ids, 'next', 'last', 'more']) {
      add(id);
    }
    for (const id of ids) {
      await apps.wake(id);
      apps.mounted(id, look);
    }
    apps.view('p0', { isSeen: true, hasFocus: true });
    apps.view('p2', away);
    clock.advance(1);
    apps.view('p1', away);
    await apps.wake('next');
    await apps.wake('last');
    assert.deepEqual(
      [...ids, 'next', 'last'].map((id) => appOf(id)?.state),
      ['live', 'asleep', 'asleep', 'live', 'live', 'live'],
      'those out of view go first',
    );
    assert.deepEqual(acts.slice(0, 2), ['end', 'dispose'], 'they could tidy up');
    isBusy = true;
    apps.mounted('next', look);
    apps.mounted('last', look);
    await apps.wake('more');
    assert.deepEqual(
      [appOf('more')?.state, appOf('more')?.note],
      ['asleep', 'Not shown: 4 apps are shown already, and all of them are in use.'],
    );
    assert.equal(appOf('p0')?.state, 'live');
  });

  it('that stay out of view go to sleep at the height they had, and wake without the question that was answered', async () => {
    add('p');
    await apps.wake('p');
    apps.mounted('p', look);
    frames[0]?.resize(260);
    apps.view('p', away);
    clock.advance(awayMs - 1);
    apps.view('p', { isSeen: true, hasFocus: false });
    clock.advance(awayMs * 2);
    await settled();
    assert.equal(appOf('p')?.state, 'live', 'it came back into view');
    apps.view('p', away);
    clock.advance(awayMs);
    await settled();
    const note = 'Asleep, because it was out of view. It begins anew when you wake it.';
    assert.deepEqual(appOf('p'), { uri: 'ui://a', state: 'asleep', height: 260, note });
    assert.deepEqual(acts, ['end', 'dispose']);
    const stored = Conversation.fromJSON(JSON.parse(JSON.stringify(conversation)))
      .assistant(itemId)
      .parts.at(-1);
    assert.deepEqual(stored?.kind === 'toolCall' ? stored.app : undefined, { uri: 'ui://a', state: 'asleep', height: 260 });
    await apps.wake('p');
    assert.deepEqual([wanted[1]?.allowed, appOf('p')?.state, appOf('p')?.height], ['f', 'live', 260]);
    await apps.close('p');
    await apps.wake('p');
    assert.equal(wanted[2]?.allowed, undefined, 'what the person closed is asked about again');
    assert.equal(clock.pending, 0);
  });

  it('do not go to sleep while they have the focus, a call of theirs runs or a question of theirs is open', async () => {
    add('p');
    await apps.wake('p');
    apps.mounted('p', look);
    apps.view('p', { isSeen: false, hasFocus: true });
    clock.advance(awayMs);
    apps.view('p', away);
    isBusy = true;
    clock.advance(awayMs);
    isBusy = false;
    const detail = { kind: 'showApp', server: 's', tool: 't', uri: 'u', bytes: 1 } as const;
    const asked = wanted[0]?.ask(
      { askId: 'q', detail: { ...detail, reaches: [], refused: [] }, choices: ['deny'], why: 'new', differences: [] },
      new AbortController().signal,
    );
    clock.advance(awayMs);
    await settled();
    assert.equal(appOf('p')?.state, 'live');
    questions.answer({ askId: 'q', choice: 'deny' });
    await asked;
    clock.advance(awayMs);
    await settled();
    assert.equal(appOf('p')?.state, 'asleep');
  });

  it('of a stored conversation are asleep, and get the call as it was stored when they are woken', async () => {
    add('p', { uri: 'ui://a', state: 'live', key: 'gone' });
    const stored = Conversation.fromJSON(JSON.parse(JSON.stringify(conversation)));
    const part = stored.assistant(itemId).parts.at(-1);
    assert.deepEqual(part?.kind === 'toolCall' ? part.app : undefined, { uri: 'ui://a', state: 'asleep' });
    await apps.wake('p');
    assert.deepEqual(wanted[0]?.call, {
      arguments: { x: 1 },
      result: { content: [{ type: 'text', text: 'drawn' }], isError: false, structuredContent: { y: 2 } },
    });
  });

  it('are as they were when the answer that called for them ends', () => {
    add('p', { uri: 'ui://a', state: 'new', key: 'kept' });
    finishAnswer(conversation, itemId, { kind: 'done' }, chatSentencesInEnglish);
    assert.deepEqual(appOf('p'), { uri: 'ui://a', state: 'new', key: 'kept' });
  });

  it('that were ended while they opened leave a later showing alone', async () => {
    add('p');
    let refuse: (reason: unknown) => void = () => undefined;
    slow = new Promise((_resolve, reject) => (refuse = reject));
    const first = apps.wake('p');
    await apps.close('p');
    slow = undefined;
    await apps.wake('p');
    refuse(new DOMException('withdrawn', 'AbortError'));
    await first;
    assert.equal(appOf('p')?.state, 'live');
  });

  it('are gone when another conversation is shown', async () => {
    add('p');
    await apps.wake('p');
    apps.mounted('p', look);
    opened.fire(conversation);
    assert.deepEqual(acts, ['dispose']);
    assert.equal(wanted[0]?.signal.aborted, true);
  });
});
