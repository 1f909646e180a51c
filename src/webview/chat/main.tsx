// webview/: the pages, code for a browser: they show snapshots and send intents, and decide nothing.
// chat/: the page of the conversation. chatStore.ts holds what is shown, chatIntents.ts what the person can do.
import type { chatToHost, chatToView } from '../../contract/chat/chatMessages.ts';
import type { ChatState } from '../../contract/chat/chatState.ts';
import { pageThread } from '../markdown/pageThread.ts';
import { openHostLink, type HostLink } from '../shared/hostLink.ts';
import { FocusKeeper } from '../shared/focusKeeper.ts';
import { loadBundle } from '../shared/localize.ts';
import { openPageRoot } from '../shared/page.tsx';
import { isAllDrawn } from '../shared/plainText.tsx';
import { AppLinkContext, AppLinks, isAppMessage } from './apps/appLink.ts';
import { ChatApp } from './chatApp.tsx';
import { createChatIntents } from './chatIntents.ts';
import { drawsQuestions, loadParts } from './chatParts.tsx';
import { ChatStore, openQuestions, storedConversation, storedDraft, storedEdit } from './chatStore.ts';
import { SentPictures } from './messages/attachments.tsx';
import { maxMessageLength } from './composer/composerRules.ts';
import { messageId } from './composer/messageBox.tsx';

/** A drawing that took longer than this, in ms, is followed by a pause. */
const shortDrawingMs = 4;
const pausePerDrawing = 3;
/** The longest pause, in ms, after a drawing. */
const maxPauseMs = 1000;
/** The most new items that are drawn within a frame; more of them are drawn after it. */
const maxItemsInFrame = 4;

function start(root: HTMLElement): void {
  loadBundle(document.getElementById('l10n')?.textContent, document.documentElement.lang);
  const link = openHostLink<typeof chatToHost, typeof chatToView>();
  const store = new ChatStore(storedDraft(link.readStored()), storedEdit(link.readStored()));
  const intents = createChatIntents(link);
  const pictures = new SentPictures((itemId, id) => intents.context.picture(itemId, id));

  const apps = new AppLinks(link);

  const focus = new FocusKeeper({
    home: () => document.getElementById(messageId),
    // Somebody who reads further up is told of a question and left alone.
    mayMove: () => document.querySelector('.jump') === null,
  });

  const drawPage = openPageRoot(root);
  const draw = (): void => {
    drawPage(
      <AppLinkContext.Provider value={apps}>
        <ChatApp view={store.view} store={store} intents={intents} focus={focus} pictures={pictures} />
      </AppLinkContext.Provider>,
    );
    // Every question here was caused by a message that the person sent.
    focus.keep(drawsQuestions() ? openQuestions(store.view.state?.items ?? []) : []);
  };
  const drawOnce = inTime(draw, () => store.view.state?.items.length ?? 0);
  store.onChange(drawOnce);
  const reportDrawn = drawnReport(link);

  storeChanges(store, link);
  store.onChange(draftKeeper(store, (text) => intents.keepDraft(text)));
  store.onReturned((ids) => intents.unqueue(ids));

  draw();
  link.listen((message) => {
    if (message.name === 'context/picture') {
      pictures.receive(message.body);
    } else if (isAppMessage(message)) {
      apps.receive(message);
    } else {
      store.receive(message);
    }
    if (message.name === 'chat/state') {
      reportDrawn(message.body);
    }
  });
  link.send('ready', {});
  void loadParts().then(drawOnce);
}

/**
 * Limits how often the page is drawn. Streaming may bring many messages per frame, and one drawing serves them all. After a
 * drawing that took a while there is a pause of several times as long, so that the page stays responsive whatever the text.
 */
function inTime(draw: () => void, countItems: () => number): () => void {
  let isScheduled = false;
  let pause = 0;
  let drawnItems = 0;
  const drawNow = (): void => {
    isScheduled = false;
    drawnItems = countItems();
    const since = performance.now();
    draw();
    const took = performance.now() - since;
    pause = took > shortDrawingMs ? Math.min(maxPauseMs, took * pausePerDrawing) : 0;
  };
  const drawSoon = (): void => {
    requestAnimationFrame(() => {
      // A whole conversation is drawn after the frame: drawing and layout in one frame would block the page for longer.
      if (countItems() - drawnItems > maxItemsInFrame) {
        setTimeout(drawNow, 0);
      } else {
        drawNow();
      }
    });
  };
  return () => {
    if (!isScheduled) {
      isScheduled = true;
      if (pause > 0) {
        setTimeout(drawSoon, pause);
      } else {
        drawSoon();
      }
    }
  };
}

/** How often, in ms, the page looks whether there is still something to draw. */
const lookEveryMs = 50;
/** How many looks in a row have to find nothing to draw before the conversation counts as drawn. */
const maxCalmLooks = 4;

/**
 * Returns the function that tells the host when a conversation is drawn: nothing of it is to be read or drawn for a few moments. A
 * page that hangs never comes to that. A hidden page draws nothing, and so cannot hang.
 */
function drawnReport(link: HostLink<typeof chatToHost, typeof chatToView>): (state: ChatState) => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  return ({ conversationId, isPlain }) => {
    clearInterval(timer);
    let calm = 0;
    const look = (): void => {
      calm = document.hidden || (pageThread.isIdle && isAllDrawn()) ? calm + 1 : 0;
      if (calm === maxCalmLooks) {
        clearInterval(timer);
        link.send('chat/drawn', { conversationId });
      }
    };
    timer = isPlain === true ? undefined : setInterval(look, lookEveryMs);
  };
}

/** Stores the texts being written, so that they survive a reload, and the conversation, so that a reopened tab knows what it showed. */
function storeChanges(store: ChatStore, link: HostLink<typeof chatToHost, typeof chatToView>): void {
  let stored = { draft: store.view.draft, edited: store.view.edited, conversationId: storedConversation(link.readStored()) };
  store.onChange(({ draft, edited, state }) => {
    const conversationId = state?.conversationId ?? stored.conversationId;
    if (draft !== stored.draft || edited !== stored.edited || conversationId !== stored.conversationId) {
      stored = { draft, edited, conversationId };
      link.store(stored);
    }
  });
}

/** The least time, in ms, between two reports of the text that is being written. */
const draftPauseMs = 300;

/**
 * Returns the function that tells the host what is being written, at most every few moments. What VS Code stores for a page is
 * lost when the window is loaded again by a browser, or is killed; an empty box is told at once, so that nothing sent comes back.
 */
function draftKeeper(store: ChatStore, keep: (text: string) => void): () => void {
  let told = store.view.draft;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (): void => {
    const { draft } = store.view;
    if (draft !== told && draft.length <= maxMessageLength) {
      told = draft;
      keep(draft);
    }
  };
  const tellLater = (): void => {
    timer = undefined;
    tell();
  };
  window.addEventListener('pagehide', tell);
  return () => {
    const { draft } = store.view;
    if (draft !== told && (timer === undefined || draft === '')) {
      tell();
      timer ??= setTimeout(tellLater, draftPauseMs);
    }
  };
}

const root = document.getElementById('root');
if (root !== null) {
  start(root);
}
