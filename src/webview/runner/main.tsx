// runner/: the page of Run Tool: a tool's arguments as a form (runnerForm.tsx), what was run before, and the result below
// (runnerResult.tsx). insertRow.tsx puts values of the editor into the field that was used last; runnerView.ts keeps what is typed.
import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { runnerToHost, RunnerTool, runnerToView } from '../../contract/pages/runnerMessages.ts';
import { FocusKeeper } from '../shared/focusKeeper.ts';
import { claimsLine } from '../question/details/questionTexts.ts';
import { endMark } from '../question/reading.tsx';
import { Disclosure, Icon } from '../shared/elements.tsx';
import { formatBytes } from '../shared/formats.ts';
import { openHostLink } from '../shared/hostLink.ts';
import { loadBundle, t } from '../shared/localize.ts';
import { openPageRoot } from '../shared/page.tsx';
import { type PageActions, PageActionsContext } from '../shared/pageActions.tsx';
import { wholeText } from '../shared/wholeText.ts';
import type { RunInView } from './runCovering.ts';
import { RunnerForm } from './runnerForm.tsx';
import { RunnerResult } from './runnerResult.tsx';
import { serverNote } from './runnerTexts.ts';
import { createRunnerIntents, isAnswer, KeptDraft, receive, type RunnerIntents, type RunnerView } from './runnerView.ts';

export interface RunnerAppProps {
  readonly view: RunnerView;
  readonly intents: RunnerIntents;
  readonly draft: Pick<KeptDraft, 'text' | 'isRestored'>;
}

function RunnerApp({ view, intents, draft }: RunnerAppProps): JSX.Element {
  const { tool, run, kept } = view;
  const page = useRef<HTMLElement>(null);
  const inView = useRef<RunInView>(() => undefined);
  const actions = useMemo((): PageActions => {
    const nothing = (): void => undefined;
    return {
      openLink: intents.openLink,
      openResource: intents.openResource,
      openFile: nothing,
      copyCode: nothing,
      insertCode: nothing,
      applyCode: nothing,
      runCode: nothing,
    };
  }, [intents]);
  if (tool === undefined) {
    return <main class="runner" />;
  }
  return (
    <PageActionsContext.Provider value={actions}>
      <main ref={page} class="runner">
        <Heading tool={tool} />
        {/* The form is made anew once the tool's parameters are known, with what is typed already. */}
        <RunnerForm
          key={String(tool.isKnown)}
          {...{ tool, run, kept, intents, page, inView }}
          typed={draft.text}
          takesFocus={!draft.isRestored}
        />
        <RunnerResult {...{ tool, run, intents, inView }} />
      </main>
    </PageActionsContext.Provider>
  );
}

/** The longest description that is shown unfolded although it was read before. */
const maxDescription = 400;

function Heading({ tool }: { readonly tool: RunnerTool }): JSX.Element {
  const { server, title, description, claims, state } = tool;
  const note = serverNote(state);
  const text = wholeText(description.trim());
  const isFolded = tool.isRead === true && text.length > maxDescription;
  return (
    <header class="runner-head">
      <h1>{wholeText(title ?? tool.tool)}</h1>
      <p class="secondary">{title === undefined ? wholeText(server) : `${wholeText(server)} · ${wholeText(tool.tool)}`}</p>
      {text !== '' && !isFolded && <p class="whole-text">{text}</p>}
      {isFolded && (
        <Disclosure label={t('Description')} inside={formatBytes(text.length)}>
          <p class="whole-text">{text}</p>
        </Disclosure>
      )}
      {claims.length > 0 && <p class="secondary">{claimsLine(claims)}</p>}
      {note !== undefined && (
        <p class="runner-note" role="status">
          <Icon name="info" tone="quiet" />
          {note}
        </p>
      )}
      {/* Another definition has another end, which is to be seen anew. */}
      <div key={tool.definition} {...endMark} />
    </header>
  );
}

function start(root: HTMLElement): void {
  loadBundle(document.getElementById('l10n')?.textContent, document.documentElement.lang);
  const link = openHostLink<typeof runnerToHost, typeof runnerToView>();
  const draft = new KeptDraft(link);
  const { intents, answer } = createRunnerIntents(link, draft);
  const focus = new FocusKeeper({ home: () => root.querySelector<HTMLElement>('.runner-form button[type="submit"]') });
  let view: RunnerView = { tool: undefined, run: { kind: 'none' }, kept: { runs: [], presets: [] } };
  const drawPage = openPageRoot(root);
  const draw = (): void => {
    drawPage(<RunnerApp view={view} intents={intents} draft={draft} />);
    // Buttons such as Stop and Run again disappear with what they act on, and may have had the focus.
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
