// runner/: the page of Run Tool: a tool's arguments as a form, what was run before, and the result below. fieldInsertion.ts puts values
// of the editor into the field that was used last.
import { runnerToHost, runnerToView } from '../../contract/runnerMessages.ts';
import { openHostLink } from '../link/hostLink.ts';
import { loadBundle } from '../shared/localize.ts';
import { openPageRoot } from '../shared/pageRoot.tsx';
import { RunnerApp } from './runnerApp.tsx';
import { createIntents, receive, type AwaitedAnswers, type RunnerView } from './runnerView.ts';

function start(root: HTMLElement): void {
  loadBundle(document.getElementById('l10n')?.textContent);
  const link = openHostLink(runnerToHost, runnerToView);
  const answers: AwaitedAnswers = { values: new Map(), checks: new Map() };
  const intents = createIntents(link, answers);
  let view: RunnerView = { tool: undefined, run: { kind: 'none' }, kept: { runs: [], presets: [] } };
  const drawPage = openPageRoot(root);
  const draw = (): void => drawPage(<RunnerApp view={view} intents={intents} />);
  draw();
  link.listen((message) => {
    view = receive(view, message, answers);
    draw();
  });
  link.send('ready', {});
}

const root = document.getElementById('root');
if (root !== null) {
  start(root);
}
