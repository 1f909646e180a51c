// runner/: the page of Run Tool: a tool's arguments as a form, what was run before, and the result below. fieldInsertion.ts puts values
// of the editor into the field that was used last, keptDraft.ts keeps what is typed.
import type { runnerToHost, runnerToView } from '../../contract/runnerMessages.ts';
import { openHostLink } from '../link/hostLink.ts';
import { FocusKeeper } from '../question/focusKeeper.ts';
import { loadBundle } from '../shared/localize.ts';
import { openPageRoot } from '../shared/pageRoot.tsx';
import { KeptDraft } from './keptDraft.ts';
import { RunnerApp } from './runnerApp.tsx';
import { createIntents, isAnswer, receive, type RunnerView } from './runnerView.ts';

function start(root: HTMLElement): void {
  loadBundle(document.getElementById('l10n')?.textContent);
  const link = openHostLink<typeof runnerToHost, typeof runnerToView>();
  const draft = new KeptDraft(link);
  const { intents, answer } = createIntents(link, draft);
  const focus = new FocusKeeper({ home: () => root.querySelector<HTMLElement>('.runner-form button[type="submit"]') });
  let view: RunnerView = { tool: undefined, run: { kind: 'none' }, kept: { runs: [], presets: [] } };
  const drawPage = openPageRoot(root);
  const draw = (): void => {
    drawPage(<RunnerApp view={view} intents={intents} draft={draft} />);
    // Stop, Run again and the like go with what they act on.
    focus.keep([]);
  };
  draw();
  link.listen((message) => {
    if (isAnswer(message)) {
      answer(message);
    } else {
      if (message.name === 'runner/tool') {
        draft.belongTo(message.body);
      }
      view = receive(view, message);
      draw();
    }
  });
  link.send('ready', {});
}

const root = document.getElementById('root');
if (root !== null) {
  start(root);
}
