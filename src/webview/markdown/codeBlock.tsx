import type { JSX } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { maxCommand } from '../../contract/pages/pageLimits.ts';
import { Icon } from '../shared/elements.tsx';
import { t } from '../shared/localize.ts';
import { pure } from '../shared/page.tsx';
import { AnswerContext, PageActionsContext } from '../shared/pageActions.tsx';
import { PlainContext, useSlices } from '../shared/plainText.tsx';
import { useExpiring } from '../shared/timers.ts';
import type { CodePiece } from './highlightCode.ts';
import { pageThread } from './pageThread.ts';
import { maxHighlightedLength, type Slice, sliceCode } from './slices.ts';

/** The longest code that can be copied; a message to the host carries no more. */
const maxCopiedLength = 1_000_000;

/** Languages whose blocks are commands for a terminal. */
const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'fish', 'shell', 'powershell', 'pwsh', 'ps1', 'cmd', 'bat']);

export interface CodeBlockProps {
  readonly code: string;
  readonly language: string;
  /** The file that the block, or the text above it, names. */
  readonly file?: string | undefined;
}

export function CodeBlock({ code, language, file }: CodeBlockProps): JSX.Element {
  return (
    <div class="code-block">
      <div class="code-bar">
        <span class="code-language" title={file ?? language}>
          {file ?? language}
        </span>
        {code !== '' && code.length <= maxCopiedLength && <CodeActions code={code} language={language} file={file} />}
      </div>
      <HighlightedCode code={code} language={language} />
    </div>
  );
}

function CodeActions({ code, language, file }: CodeBlockProps): JSX.Element {
  const actions = useContext(PageActionsContext);
  const answer = useContext(AnswerContext);
  const [isCopied, markCopied] = useExpiring(1500);
  const copy = (): void => {
    actions.copyCode(code);
    markCopied();
  };
  const isShell = shells.has(language.toLowerCase());
  const applies =
    file === undefined ? t('Apply to the last active editor: shown as a diff first') : t('Apply to {0}: shown as a diff first', file);
  return (
    <span class="code-actions">
      <CodeAction label={t('Copy')} icon={isCopied ? 'check' : 'copy'} run={copy} />
      <span class="screen-reader-only" role="status">
        {isCopied ? t('Copied') : ''}
      </span>
      <CodeAction
        label={t('Insert')}
        icon="insert"
        title={t('Insert at the cursor of the last active editor')}
        run={() => actions.insertCode(code)}
      />
      {answer !== undefined && !isShell && (
        <CodeAction label={t('Apply')} icon="diff" title={applies} run={() => actions.applyCode(answer, code, file)} />
      )}
      {answer !== undefined && isShell && code.length <= maxCommand && (
        <CodeAction
          label={t('Run in terminal')}
          icon="terminal"
          title={t('Run in terminal: you are asked first')}
          run={() => actions.runCode(answer, code)}
        />
      )}
    </span>
  );
}

interface CodeActionProps {
  readonly label: string;
  readonly icon: string;
  readonly title?: string;
  readonly run: () => void;
}

function CodeAction({ label, icon, title, run }: CodeActionProps): JSX.Element {
  return (
    <button type="button" class="tool-button" title={title ?? label} aria-label={label} onClick={run}>
      <Icon name={icon} />
      <span class="tool-label">{label}</span>
    </button>
  );
}

export function HighlightedCode({
  code,
  language,
  label,
}: {
  readonly code: string;
  readonly language: string;
  readonly label?: string;
}): JSX.Element {
  const drawn = useSlices(useHighlighting(code, language));
  return (
    <pre class={isPlainText(language) ? 'code is-wrapped' : 'code'} tabIndex={0} aria-label={label ?? t('Code')} role="group">
      <code>
        {drawn.length === 1 ? drawn[0]?.value.map(drawPiece) : drawn.map(({ value }, index) => <CodeLines key={index} pieces={value} />)}
      </code>
    </pre>
  );
}

/** Some lines of long code; those out of sight cost nothing. */
const CodeLines = pure(({ pieces }: { readonly pieces: readonly CodePiece[] }) => <span class="code-lines">{pieces.map(drawPiece)}</span>);

/** Whether long lines wrap: those of plain text do, those of code mean something and scroll. */
function isPlainText(language: string): boolean {
  return ['text', 'txt', 'plaintext'].includes(language.toLowerCase());
}

function drawPiece(piece: CodePiece, index: number): string | JSX.Element {
  return typeof piece === 'string' ? (
    piece
  ) : (
    <span key={index} class={scopeClass(piece.scope)}>
      {piece.pieces.map(drawPiece)}
    </span>
  );
}

/**
 * The pause before growing code is highlighted again, as a multiple of what the last highlighting took: it may use only a small
 * share of the time.
 */
const pausePerCost = 12;
/** The shortest pause, in ms, before code that still grows is highlighted again. */
const minPauseMs = 24;

type Slices = readonly Slice<readonly CodePiece[]>[];

interface Highlighted {
  readonly code: string;
  readonly language: string;
  readonly slices: Slices;
  /** When the next highlighting may begin. */
  readonly pausedUntil: number;
}

/**
 * Highlights code in the page's thread. Until that has answered, and for good if it takes too long, the code is plain. While it
 * streams in, what came since the last highlighting follows as plain text: colours that are shown never change back.
 */
function useHighlighting(code: string, language: string): Slices {
  const isPlain = useContext(PlainContext) || language === '' || code.length > maxHighlightedLength;
  const [done, setDone] = useState<Highlighted | undefined>(undefined);
  const isUnderWay = useRef(false);
  const isDone = done?.code === code && done.language === language;
  useEffect(() => {
    if (isPlain || isDone || isUnderWay.current) {
      return undefined;
    }
    const highlight = (): void => {
      isUnderWay.current = true;
      const since = performance.now();
      void pageThread.ask({ kind: 'code', code, language }).then((answer) => {
        isUnderWay.current = false;
        const now = performance.now();
        const pausedUntil = now + Math.max(minPauseMs, (now - since) * pausePerCost);
        setDone({ code, language, slices: answer?.slices ?? sliceCode(code, [code]), pausedUntil });
      });
    };
    const waitMs = Math.max(0, (done?.pausedUntil ?? 0) - performance.now());
    const timer = setTimeout(highlight, waitMs);
    return () => clearTimeout(timer);
  }, [code, language, isPlain, isDone, done]);
  return useMemo(() => withRest(isPlain ? undefined : done, code, language), [isPlain, done, code, language]);
}

/** What is highlighted, and what came since as it is, on the same line. */
function withRest(done: Highlighted | undefined, code: string, language: string): Slices {
  if (done?.language !== language || !code.startsWith(done.code)) {
    return sliceCode(code, [code]);
  }
  const rest = code.slice(done.code.length);
  const [next, ...others] = sliceCode(rest, [rest]);
  const last = done.slices.at(-1);
  if (next === undefined || last === undefined) {
    return next === undefined ? done.slices : [next, ...others];
  }
  return [...done.slices.slice(0, -1), { value: [...last.value, ...next.value], weight: last.weight + next.weight }, ...others];
}

/** Turns a scope such as "title.function" into the class names that the style sheet colours. */
export function scopeClass(scope: string): string {
  return scope
    .split('.')
    .map((part) => `code-${part.replace(/[^\w-]/g, '')}`)
    .join(' ');
}
