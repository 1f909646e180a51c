import type { JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { revealInvisible } from '../../../base/visibleText.ts';
import type { ContentPart } from '../../../contract/chat/chatState.ts';
import type { PersonAnswer } from '../../../contract/questions/questions.ts';
import { ContentItems } from '../../question/details/contentItems.tsx';
import { attachmentLabel } from '../../shared/attachmentTexts.ts';
import { formatBytes, plural } from '../../shared/formats.ts';
import { Icon } from '../../shared/elements.tsx';
import { t } from '../../shared/localize.ts';
import { pure } from '../../shared/page.tsx';
import { LazyQuestionCard } from '../chatParts.tsx';

export interface ContentCardProps {
  readonly part: ContentPart;
  readonly generation: string;
  readonly onAnswer: (answer: PersonAnswer, card: HTMLElement) => void;
}

/** A card for content that somebody added to the conversation: from whom it is, and exactly as it was sent; or that it was not. */
export const ContentCard = pure(({ part, generation, onAnswer }: ContentCardProps) => {
  const [isOpen, setOpen] = useState(false);
  const line = useRef<HTMLButtonElement>(null);
  const id = useId();
  const closeOnEscape = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      setOpen(false);
      line.current?.focus();
    }
  };
  const name = t('Content: {0} {1}', revealInvisible(part.server), sourceName(part));
  return (
    <div class={`call is-content is-${part.state}`} role="group" aria-label={name}>
      <div onKeyDown={closeOnEscape}>
        <ContentLine part={part} isOpen={isOpen} controls={id} line={line} onToggle={() => setOpen(!isOpen)} />
        {part.error !== undefined && <p class="call-error">{revealInvisible(part.error)}</p>}
        <div id={id} class="call-details" hidden={!isOpen}>
          {isOpen && <Details part={part} />}
        </div>
      </div>
      {part.question !== undefined && (
        <LazyQuestionCard key={part.question.askId} question={part.question} from="chat" generation={generation} onAnswer={onAnswer} />
      )}
    </div>
  );
});

interface ContentLineProps {
  readonly part: ContentPart;
  readonly isOpen: boolean;
  readonly controls: string;
  readonly line: { current: HTMLButtonElement | null };
  readonly onToggle: () => void;
}

function ContentLine({ part, isOpen, controls, line, onToggle }: ContentLineProps): JSX.Element {
  const names = `${revealInvisible(part.server)} ${sourceName(part)}`.trim();
  const { icon, tone } = stateIcon(part.state);
  return (
    <button ref={line} type="button" class="call-line" title={names} aria-expanded={isOpen} aria-controls={controls} onClick={onToggle}>
      <Icon name={icon} tone={tone} spin={part.state === 'reading'} />
      <span class="screen-reader-only">{stateWord(part.state)}: </span>
      <span class="call-names">
        {part.server !== '' && <span class="call-server">{revealInvisible(part.server)}</span>}{' '}
        <span class="call-tool">{sourceName(part)}</span>
      </span>
      <span class="call-outcome">
        <span class="call-meta">{metaOf(part)}</span>
      </span>
      <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
    </button>
  );
}

function Details({ part }: { readonly part: ContentPart }): JSX.Element {
  const { source } = part;
  const kept = new Set(part.keptSecrets);
  return (
    <>
      {source.kind === 'resource' && <p class="secondary resource-uri">{revealInvisible(source.uri)}</p>}
      {source.kind === 'prompt' && source.arguments.length > 0 && (
        <p class="secondary">
          {source.arguments.map(({ name, value }) => `${revealInvisible(name)}: ${revealInvisible(value)}`).join(', ')}
        </p>
      )}
      {part.state === 'sent' ? (
        <ContentItems items={part.items} isKept={(secret) => kept.has(secret)} />
      ) : (
        <p class="secondary">{t('Nothing of it is part of the conversation.')}</p>
      )}
    </>
  );
}

/** The name of the content. Something that a person attached has no server, and perhaps no name. */
function sourceName({ source }: ContentPart): string {
  return source.kind === 'attachment' ? attachmentLabel({ kind: source.what, name: source.name }) : revealInvisible(source.name);
}

function metaOf(part: ContentPart): string {
  if (part.state !== 'sent') {
    return stateWord(part.state);
  }
  const removed = part.removedSecrets;
  const secrets = plural(
    removed,
    () => t('1 secret removed'),
    (count) => t('{0} secrets removed', count),
  );
  return [formatBytes(part.bytes), ...(removed === 0 ? [] : [secrets])].join(' · ');
}

function stateWord(state: ContentPart['state']): string {
  const words: Readonly<Record<ContentPart['state'], string>> = {
    reading: t('Reading'),
    waiting: t('Waiting for you'),
    sent: t('Part of the conversation'),
    denied: t('Not sent'),
    failed: t('Failed'),
    cancelled: t('Cancelled'),
  };
  return words[state];
}

function stateIcon(state: ContentPart['state']): { readonly icon: string; readonly tone: string } {
  const icons: Readonly<Record<ContentPart['state'], { readonly icon: string; readonly tone: string }>> = {
    reading: { icon: 'loading', tone: 'quiet' },
    waiting: { icon: 'shield', tone: 'warning' },
    sent: { icon: 'attach', tone: 'good' },
    denied: { icon: 'circle-slash', tone: 'quiet' },
    failed: { icon: 'error', tone: 'error' },
    cancelled: { icon: 'debug-stop', tone: 'quiet' },
  };
  return icons[state];
}
