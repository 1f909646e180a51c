import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { ContentItem, FoundSecret, SendContentQuestion } from '../../../contract/questions/sentContent.ts';
import { kindWords } from '../../shared/attachmentTexts.ts';
import { Disclosure, Icon } from '../../shared/elements.tsx';
import { formatNumber, plural } from '../../shared/formats.ts';
import { t } from '../../shared/localize.ts';
import { wholeText } from '../../shared/wholeText.ts';
import { ContentItems } from './contentItems.tsx';
import type { SecretsDraft } from '../answerDraft.ts';
import { contentScope, contentSize, fileLines, isContentOpen } from './sendContentTexts.ts';

interface SendContentProps {
  readonly detail: SendContentQuestion;
  readonly secrets: SecretsDraft;
  /** Whether the answer may be remembered. */
  readonly canRemember: boolean;
}

const charactersPerLine = 80;
/** The most secrets that are listed one by one; more are removed or sent all together. */
const maxListedSecrets = 20;

export function SendContentDetails({ detail, secrets, canRemember }: SendContentProps): JSX.Element {
  const lines = linesIn(detail.items);
  const items = <ContentItems items={detail.items} isKept={(secret) => secrets.kept.has(secret)} />;
  return (
    <>
      <Facts detail={detail} kept={secrets.kept} />
      {detail.secrets.length > 0 && <Secrets found={detail.secrets} draft={secrets} />}
      {isContentOpen(detail, lines) ? (
        <div class="section">
          <div class="section-label">{t('Content')}</div>
          {items}
        </div>
      ) : (
        <Disclosure label={t('Content')} inside={lineWords(lines)}>
          {items}
        </Disclosure>
      )}
      {canRemember && <p class="secondary">{contentScope(detail)}</p>}
    </>
  );
}

interface FactsProps {
  readonly detail: SendContentQuestion;
  readonly kept: ReadonlySet<number>;
}

function Facts({ detail, kept }: FactsProps): JSX.Element {
  const { source, invisible } = detail;
  return (
    <dl class="facts" aria-label={t('What would be sent')}>
      {source.kind === 'resource' && <Fact name={t('Resource')}>{wholeText(source.uri)}</Fact>}
      {source.kind === 'instructions' && <Fact name={t('File')}>{wholeText(source.name)}</Fact>}
      {source.kind === 'skill' && (
        <>
          <Fact name={t('Skill')}>{wholeText(source.place)}</Fact>
          <Fact name={t('Files')}>{fileLines(detail).join('\n')}</Fact>
        </>
      )}
      {source.kind === 'attachment' && <Fact name={kindWords(source.what)}>{wholeText(source.name)}</Fact>}
      {source.kind === 'prompt' && (
        <>
          <Fact name={t('Prompt')}>{wholeText(source.name)}</Fact>
          {source.description !== '' && (
            <Fact name={t('Description')} isWords>
              {wholeText(source.description)}
            </Fact>
          )}
          {source.arguments.map(({ name, value }, index) => (
            <Fact key={index} name={wholeText(name)}>
              {wholeText(value)}
            </Fact>
          ))}
        </>
      )}
      <Fact name={t('Size')} isWords>
        {contentSize(detail, kept)}
      </Fact>
      {invisible > 0 && (
        <Fact name={t('Hidden')} isWords>
          <Icon name="warning" tone="warning" />{' '}
          {plural(
            invisible,
            () => t('1 invisible character, made visible'),
            (count) => t('{0} invisible characters, made visible', count),
          )}
        </Fact>
      )}
    </dl>
  );
}

interface FactProps {
  readonly name: string;
  readonly isWords?: boolean;
  readonly children: ComponentChildren;
}

function Fact({ name, isWords = false, children }: FactProps): JSX.Element {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd {...(isWords ? { class: 'is-words' } : {})}>{children}</dd>
    </div>
  );
}

/** Lets the person remove secrets, all at once or one by one. No page has their values: the text before each tells which it is. */
function Secrets({ found, draft }: { readonly found: readonly FoundSecret[]; readonly draft: SecretsDraft }): JSX.Element {
  const numbers = found.map((_, index) => index + 1);
  const [only] = found;
  const listed = found.length === 1 || found.length > maxListedSecrets ? [] : found;
  return (
    <div class="section" role="group" aria-label={t('Secrets found')}>
      <div class="section-label secrets-label">
        <Icon name="key" tone="warning" />
        {plural(
          found.length,
          () => t('1 text in it looks like a secret'),
          (count) => t('{0} texts in it look like secrets', count),
        )}
      </div>
      <Check
        label={t('Remove secrets before sending')}
        isChecked={draft.kept.size === 0}
        isMixed={draft.kept.size > 0 && draft.kept.size < found.length}
        onChange={(isRemoved) => draft.setKept(numbers, !isRemoved)}
      />
      {only !== undefined && found.length === 1 && <p class="secondary check is-inner">{placeWords(only)}</p>}
      {listed.map((secret, index) => (
        <Check
          key={index}
          isInner
          label={t('Remove secret {0}, {1}', index + 1, placeWords(secret))}
          isChecked={!draft.kept.has(index + 1)}
          onChange={(isRemoved) => draft.setKept([index + 1], !isRemoved)}
        />
      ))}
    </div>
  );
}

interface CheckProps {
  readonly label: string;
  readonly isChecked: boolean;
  readonly isMixed?: boolean;
  readonly isInner?: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

function Check({ label, isChecked, isMixed = false, isInner = false, onChange }: CheckProps): JSX.Element {
  const id = useId();
  return (
    <div class={isInner ? 'check is-inner' : 'check'}>
      <input
        id={id}
        type="checkbox"
        checked={isChecked}
        indeterminate={isMixed}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
    </div>
  );
}

function placeWords({ before, length }: FoundSecret): string {
  const count = formatNumber(length);
  return before === '' ? t('{0} characters', count) : t('{0} characters after “{1}”', count, wholeText(before));
}

function linesIn(items: readonly ContentItem[]): number {
  return items.reduce((sum, item) => sum + (item.kind === 'text' ? linesOf(item.pieces) : item.kind === 'image' ? 8 : 1), 0);
}

function linesOf(pieces: readonly (string | number)[]): number {
  const text = pieces.join('');
  return text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / charactersPerLine)), 0);
}

function lineWords(lines: number): string {
  return plural(
    lines,
    () => t('1 line'),
    (count) => t('about {0} lines', count),
  );
}
