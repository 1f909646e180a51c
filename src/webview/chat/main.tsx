// webview/: the pages, code for a browser: they show snapshots and send intents, and decide nothing.
// chat/: the page of the conversation. chatStore.ts holds what is shown, chatIntents.ts what the person can do.
import type { chatToHost, chatToView } from '../../contract/chat/chatMessages.ts';
import { openHostLink, type HostLink } from '../shared/hostLink.ts';
import { FocusKeeper } from '../question/focusKeeper.ts';
import { loadBundle } from '../shared/localize.ts';
import { openPageRoot } from '../shared/page.tsx';
import { ChatApp } from './chatApp.tsx';
import { createChatIntents } from './chatIntents.ts';
import { drawsQuestions, loadParts } from './chatParts.tsx';
import { ChatStore, openQuestions, storedConversation, storedDraft } from './chatStore.ts';
import { SentPictures } from './messages/attachments.tsx';
import { messageId } from './composer/messageBox.tsx';

const shortDrawingMs = 4;
const pausePerDrawing = 3;
const maxPauseMs = 1000;
const maxItemsInFrame = 4;

function start(root: HTMLElement): void {
  loadBundle(document.getElementById('l10n')?.textContent);
  const link = openHostLink<typeof chatToHost, typeof chatToView>();
  const store = new ChatStore(storedDraft(link.readStored()));
  const intents = createChatIntents(link);
  const pictures = new SentPictures((itemId, id) => intents.context.picture(itemId, id));

  const focus = new FocusKeeper({
    home: () => document.getElementById(messageId),
    // Somebody who reads further up is told of a question and left alone.
    mayMove: () => document.querySelector('.jump') === null,
  });

  const drawPage = openPageRoot(root);
  const draw = (): void => {
    drawPage(<ChatApp view={store.view} store={store} intents={intents} focus={focus} pictures={pictures} />);
    // Every question here was caused by a message that the person sent.
    focus.keep(drawsQuestions() ? openQuestions(store.view.state?.items ?? []) : []);
  };
  const drawOnce = inTime(draw, () => store.view.state?.items.length ?? 0);
  store.onChange(drawOnce);

  storeChanges(store, link);
  store.onReturned((ids) => intents.unqueue(ids));

  draw();
  link.listen((message) => {
    if (message.name === 'context/picture') {
      pictures.receive(message.body);
    } else {
      store.receive(message);
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

/** Stores the text being written, so that it survives a reload, and the conversation, so that a reopened tab knows what it showed. */
function storeChanges(store: ChatStore, link: HostLink<typeof chatToHost, typeof chatToView>): void {
  let stored = { draft: store.view.draft, conversationId: storedConversation(link.readStored()) };
  store.onChange(({ draft, state }) => {
    const conversationId = state?.conversationId ?? stored.conversationId;
    if (draft !== stored.draft || conversationId !== stored.conversationId) {
      stored = { draft, conversationId };
      link.store(stored);
    }
  });
}

const root = document.getElementById('root');
if (root !== null) {
  start(root);
}
