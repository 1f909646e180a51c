// runner/: the page of Run Tool: a tool's arguments as a form, what was run before, and the result below. fieldInsertion.ts puts values
// of the editor into the field that was used last.
import { render } from 'preact';
import { runnerToHost, runnerToView } from '../../contract/runnerMessages.ts';
import { openHostLink } from '../link/hostLink.ts';
import { loadBundle } from '../shared/localize.ts';
import { RunnerApp } from './runnerApp.tsx';
import { createIntents, receive, type RunnerView, type ValueAnswer } from './runnerView.ts';

function start(root: HTMLElement): void {
  loadBundle(document.getElementById('l10n')?.textContent);
  const link = openHostLink(runnerToHost, runnerToView);
  const answers = new Map<number, (answer: ValueAnswer) => void>();
  const intents = createIntents(link, answers);
  let view: RunnerView = { tool: undefined, run: { kind: 'none' }, kept: { runs: [], presets: [] } };
  const draw = (): void => render(<RunnerApp view={view} intents={intents} />, root);
  draw();
  link.listen((message) => {
    if (message.name === 'runner/value') {
      answers.get(message.body.requestId)?.(message.body);
      answers.delete(message.body.requestId);
      return;
    }
    view = receive(view, message);
    draw();
  });
  link.send('ready', {});
}

const root = document.getElementById('root');
if (root !== null) {
  start(root);
}
