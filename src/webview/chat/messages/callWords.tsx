import type { JSX } from 'preact';
import { revealInvisible } from '../../../base/visibleText.ts';
import type { CallFact } from '../../../contract/chat/callFacts.ts';
import type { ToolCallPart, ToolCallState } from '../../../contract/chat/chatState.ts';
import { editorServerName } from '../../../contract/identity.ts';
import { formatElapsed, formatNumber, plural } from '../../shared/formats.ts';
import { t } from '../../shared/localize.ts';

/** What the line of a call says beside the name: what it is about, what came of it and how long it took. */
export function OutcomeWords({ part, runningMs }: { readonly part: ToolCallPart; readonly runningMs: number | undefined }): JSX.Element {
  const about = part.about ?? (part.server === editorServerName ? '' : argumentsPreview(part.arguments));
  const facts = (part.facts ?? []).map(factWords).join(', ');
  return (
    <span class="call-outcome">
      <About text={about} />
      {facts !== '' && <span class="call-facts">· {facts}</span>}
      <span class="call-meta">{callMeta(part, runningMs)}</span>
    </span>
  );
}

function About({ text }: { readonly text: string }): JSX.Element | null {
  return text === '' ? null : (
    <span class="call-about" title={text}>
      <PathText path={text} />
    </span>
  );
}

/** A text that may be a path, in a row that may be too short for it: the folder gives way first, for the name tells the file apart. */
export function PathText({ path }: { readonly path: string }): JSX.Element {
  const folder = /^\S*[/\\](?=[^/\\\s]+$)/.exec(path)?.[0] ?? '';
  return (
    <span class="path-text">
      {folder !== '' && <span class="path-folder">{folder}</span>}
      <span class="path-name">{path.slice(folder.length)}</span>
    </span>
  );
}

/** A name that may go on in the next line after each of its words, and nowhere else. */
export function BreakableName({ name }: { readonly name: string }): JSX.Element {
  const words = name.split(/(?<=[_./:-])(?=[^_./:-])/);
  return <>{words.flatMap((word, index) => (index === 0 ? [word] : [<wbr key={index} />, word]))}</>;
}

export function callStateWord({ state, question, review }: ToolCallPart): string {
  const words: Readonly<Record<ToolCallState, string>> = {
    waiting: question === undefined && review === undefined ? t('Waiting') : t('Waiting for you'),
    running: t('Running'),
    done: t('Done'),
    failed: t('Failed'),
    denied: t('Denied'),
    cancelled: t('Cancelled'),
  };
  return words[state];
}

/** The right end of the line: how long it took, and the state where it says more than "done". */
export function callMeta(part: ToolCallPart, runningMs: number | undefined): string {
  const elapsed = part.elapsedMs ?? (part.state === 'running' ? runningMs : undefined);
  const pieces = [
    part.state === 'done' || (part.state === 'running' && elapsed !== undefined) ? undefined : callStateWord(part),
    elapsed === undefined ? undefined : formatElapsed(elapsed),
  ];
  return pieces.filter((piece) => piece !== undefined).join(' · ');
}

/** The arguments on one line, where none of them says what the call is about. */
export function argumentsPreview(json: string): string {
  const flat = revealInvisible(json.slice(0, 300)).replace(/\s+/g, ' ').trim();
  return flat === '{}' ? '' : flat;
}

/** One fact of a call in words, such as "2 errors". */
export function factWords(fact: CallFact): string {
  switch (fact.kind) {
    case 'count':
      return countWords[fact.of](fact.count);
    case 'exitCode':
      return t('exit code {0}', fact.code);
    case 'review':
      return { accepted: t('accepted'), partlyAccepted: t('partly accepted'), rejected: t('rejected') }[fact.outcome];
  }
}

type Counted = Extract<CallFact, { kind: 'count' }>['of'];

const counted =
  (one: () => string, many: (count: string) => string) =>
  (count: number): string =>
    plural(count, one, many);

const countWords: Readonly<Record<Counted, (count: number) => string>> = {
  errors: counted(
    () => t('1 error'),
    (count) => t('{0} errors', count),
  ),
  warnings: counted(
    () => t('1 warning'),
    (count) => t('{0} warnings', count),
  ),
  problems: (count) =>
    count === 0
      ? t('no problems')
      : plural(
          count,
          () => t('1 problem'),
          (many) => t('{0} problems', many),
        ),
  lines: counted(
    () => t('1 line'),
    (count) => t('{0} lines', count),
  ),
  files: counted(
    () => t('1 file'),
    (count) => t('{0} files', count),
  ),
  folders: counted(
    () => t('1 folder'),
    (count) => t('{0} folders', count),
  ),
  entries: counted(
    () => t('1 entry'),
    (count) => t('{0} entries', count),
  ),
  matches: counted(
    () => t('1 match'),
    (count) => t('{0} matches', count),
  ),
  symbols: counted(
    () => t('1 symbol'),
    (count) => t('{0} symbols', count),
  ),
  places: counted(
    () => t('1 place'),
    (count) => t('{0} places', count),
  ),
  calls: counted(
    () => t('1 call'),
    (count) => t('{0} calls', count),
  ),
  editors: counted(
    () => t('1 editor'),
    (count) => t('{0} editors', count),
  ),
  actions: counted(
    () => t('1 action'),
    (count) => t('{0} actions', count),
  ),
  tasks: counted(
    () => t('1 task'),
    (count) => t('{0} tasks', count),
  ),
  changes: counted(
    () => t('1 changed file'),
    (count) => t('{0} changed files', count),
  ),
  commands: counted(
    () => t('1 command'),
    (count) => t('{0} commands', count),
  ),
  passed: (count) => t('{0} passed', formatNumber(count)),
  failed: (count) => t('{0} failed', formatNumber(count)),
};
