import assert from 'node:assert/strict';
import { silentLog } from '../../../../src/base/log.ts';
import type { ChatState } from '../../../../src/contract/chat/chatState.ts';
import type { ChatPage, ChatPageOptions } from '../../../../src/views/chat/chatPage.ts';
import type { UndrawnConversations } from '../../../../src/views/chat/undrawnConversations.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';
import { longConversation } from '../../../support/page/longConversation.ts';

interface Program {
  readonly ChatPage: new (options: ChatPageOptions) => ChatPage;
  readonly UndrawnConversations: typeof UndrawnConversations;
}

const program = `
  export { ChatPage } from './src/views/chat/chatPage.ts';
  export { UndrawnConversations } from './src/views/chat/undrawnConversations.ts';`;
const editor = `
  export const commands = { executeCommand: async () => undefined };
  export const l10n = { t: (text) => text };
  export const [env, window, workspace, Uri, FileType, ViewColumn] = [{ language: 'en' }, {}, {}, {}, {}, {}];`;

describe('A page of the chat that is loaded anew', function () {
  this.timeout(60_000);
  const silent = { dispose: () => undefined };
  const onNothing = (): typeof silent => silent;
  const state: ChatState = { ...longConversation(2), conversationId: 'one' };
  let loaded: Program;
  let undrawn: UndrawnConversations;

  before(async () => {
    loaded = await importWithFakes<Program>(program, { vscode: editor });
  });
  beforeEach(() => {
    let ids: readonly string[] = [];
    undrawn = new loaded.UndrawnConversations({ get: () => ids, set: (next) => (ids = next) });
  });

  /** What a page is told to draw after each message that it sends: nothing, or all either as plain text (true) or in full. */
  async function drawnAfter(names: readonly ('ready' | 'chat/drawn' | 'chat/showWhole')[]): Promise<readonly (boolean | 'nothing')[]> {
    let say: (message: object) => void = () => undefined;
    const posted: ChatState[] = [];
    const place = {
      session: { state: () => state, conversation: { id: 'one', items: state.items }, onMessage: onNothing },
      apps: { onMessage: onNothing },
      keeper: { onDidChange: onNothing },
    };
    const page = new loaded.ChatPage({
      webview: {
        onDidReceiveMessage: (hear: typeof say) => ((say = hear), silent),
        postMessage: ({ name, body }: { readonly name: string; readonly body: ChatState }) => name === 'chat/state' && posted.push(body),
      },
      place,
      restored: Promise.resolve(),
      undrawn,
      log: silentLog,
      reporter: { report: (error: unknown) => assert.fail(String(error)) },
      acts: {},
    } as unknown as ChatPageOptions);
    const told: (boolean | 'nothing')[] = [];
    for (const name of names) {
      say({ name, body: name === 'chat/drawn' ? { conversationId: 'one' } : {} });
      await new Promise((resolve) => setImmediate(resolve));
      const [drawn] = posted.splice(0);
      told.push(drawn === undefined ? 'nothing' : drawn.isPlain === true);
    }
    page.dispose();
    return told;
  }

  it('gets as plain text a conversation that it never said to have drawn, until the person wants it whole', async () => {
    assert.deepEqual(await drawnAfter(['ready', 'ready', 'ready']), [false, true, true]);
    assert.deepEqual(await drawnAfter(['ready', 'chat/showWhole', 'chat/drawn', 'ready']), [true, false, 'nothing', false]);
  });

  it('is told so in the next window, too', async () => {
    assert.deepEqual(await drawnAfter(['ready']), [false]);
    assert.deepEqual(await drawnAfter(['ready']), [true]);
  });

  it('gets in full a conversation that it has drawn', async () => {
    assert.deepEqual(await drawnAfter(['ready', 'chat/drawn', 'ready']), [false, 'nothing', false]);
  });
});
