import type { chatToHost, chatToView } from '../../../contract/chat/chatMessages.ts';
import { revealInvisible } from '../../../base/visibleText.ts';
import { openHostLink } from '../../shared/hostLink.ts';
import { loadBundle, t } from '../../shared/localize.ts';
import { AppLinks, isAppMessage } from './appLink.ts';
import { leaveTexts, openAppFrame } from './appShowing.ts';

/** What the extension writes into the page of a tab (views/chat/appTab.ts). */
interface TabFacts {
  readonly id: string;
  readonly server: string;
  readonly tool: string;
  readonly hasBack: boolean;
}

/**
 * The page of an app that has a tab of the editor for itself. Its policy is that of the app, which its frames inherit, so this code stands
 * in the page as text; the name of the server stands above the frame, where the app cannot reach it.
 */
function start(): void {
  loadBundle(document.getElementById('l10n')?.textContent, document.documentElement.lang);
  const facts = JSON.parse(document.getElementById('facts')?.textContent ?? '{}') as TabFacts;
  const [server, tool] = [revealInvisible(facts.server), revealInvisible(facts.tool)];
  const host = openHostLink<typeof chatToHost, typeof chatToView>();
  const links = new AppLinks(host);
  host.listen((message) => {
    if (isAppMessage(message)) {
      links.receive(message);
    }
  });
  const head = document.createElement('header');
  const name = document.createElement('span');
  name.textContent = t('App of the server “{0}”', server);
  const keys = document.createElement('small');
  keys.textContent = leaveTexts().whole;
  head.append(name, keys);
  head.tabIndex = -1;
  if (facts.hasBack) {
    const back = document.createElement('button');
    back.textContent = t('Show in the chat');
    back.addEventListener('click', () => links.back(facts.id));
    head.append(back);
  }
  const note = document.createElement('p');
  note.role = 'status';
  note.hidden = true;
  const onNote = (sentence?: string): void => {
    note.hidden = sentence === undefined;
    note.textContent = sentence ?? '';
  };
  const place = document.createElement('main');
  document.body.append(head, note, place);
  openAppFrame(place, {
    id: facts.id,
    title: t('App: {0} {1}', server, tool),
    link: links,
    isTab: true,
    onNote,
    onLeave: () => head.focus(),
  });
}

start();
