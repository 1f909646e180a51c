import type { JSX } from 'preact';
import type { Attachment } from '../../contract/chat/attachments.ts';
import { attachmentIcon, attachmentLabel, attachmentNotes, attachmentTooltip } from '../shared/attachmentTexts.ts';
import { formatBytes } from '../shared/formats.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';

export interface AttachmentChipsProps {
  readonly attachments: readonly Attachment[];
  /** Without it they were sent and stay. */
  readonly onRemove?: ((id: string) => void) | undefined;
}

/** What goes, or went, with a message: each with its size, and with what the person should know before it is sent. */
export function AttachmentChips({ attachments, onRemove }: AttachmentChipsProps): JSX.Element | null {
  if (attachments.length === 0) {
    return null;
  }
  const problems = new Set(
    attachments.flatMap(({ problem, outcome }) => (problem === undefined || outcome !== undefined ? [] : [problem])),
  );
  return (
    <>
      <ul class="attachments" role="list" aria-label={t('Attachments')}>
        {attachments.map((attachment) => (
          <Chip key={attachment.id} attachment={attachment} onRemove={onRemove} />
        ))}
      </ul>
      {[...problems].map((problem) => (
        <p key={problem} class="secondary attachment-problem">
          {problem}
        </p>
      ))}
    </>
  );
}

function Chip({ attachment, onRemove }: { readonly attachment: Attachment } & Pick<AttachmentChipsProps, 'onRemove'>): JSX.Element {
  const { id, kind, bytes, outcome } = attachment;
  const label = attachmentLabel(attachment);
  const isUnsent = outcome !== undefined && outcome !== 'sent';
  return (
    <li class={isUnsent ? 'attachment is-unsent' : 'attachment'} title={attachmentTooltip(attachment)}>
      <Icon name={attachment.isPdf === true ? 'file-pdf' : attachmentIcon(kind)} />
      <span class="attachment-name">{label}</span>
      {bytes !== undefined && <span class="secondary attachment-size">{formatBytes(bytes)}</span>}
      <Marks attachment={attachment} />
      <span class="screen-reader-only">{attachmentNotes(attachment).join(' ')}</span>
      {onRemove !== undefined && (
        <button
          type="button"
          class="chip-button"
          aria-label={t('Remove {0}', label)}
          title={t('Remove {0}', label)}
          onClick={(event) => {
            focusBeside(event.currentTarget);
            onRemove(id);
          }}
        >
          <Icon name="close" />
        </button>
      )}
    </li>
  );
}

function Marks({ attachment: { secrets, isWithheld, changed, outcome, problem } }: { readonly attachment: Attachment }): JSX.Element {
  const isAsked = outcome === undefined && (secrets !== undefined || isWithheld === true);
  return (
    <>
      {isAsked && <Icon name={isWithheld === true ? 'lock' : 'key'} tone="warning" />}
      {problem !== undefined && outcome === undefined && <Icon name="warning" tone="warning" />}
      {changed !== undefined && <Icon name="history" tone="warning" />}
      {outcome !== undefined && outcome !== 'sent' && <Icon name="circle-slash" />}
    </>
  );
}

/** The focus goes to the next chip, or the one before, or back to the text. */
function focusBeside(button: HTMLElement): void {
  const item = button.closest('li');
  const beside = item?.nextElementSibling ?? item?.previousElementSibling;
  const next = beside?.querySelector<HTMLElement>('.chip-button') ?? button.closest('.composer-frame')?.querySelector('textarea');
  next?.focus();
}
