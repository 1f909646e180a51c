import { revealInvisible } from '../../base/visibleText.ts';
import type { Attachment, AttachmentKind, ContextSuggestion } from '../../contract/chat/attachments.ts';
import { formatBytes, plural } from './formats.ts';
import { t } from './localize.ts';

type AnyKind = AttachmentKind | ContextSuggestion['kind'];

export function attachmentIcon(kind: AnyKind): string {
  const icons: Readonly<Record<AnyKind, string>> = {
    file: 'file',
    folder: 'folder',
    selection: 'selection',
    editors: 'files',
    diagnostics: 'warning',
    tests: 'beaker',
    terminal: 'terminal',
    changes: 'git-compare',
    image: 'file-media',
    resource: 'database',
    prompt: 'comment-discussion',
    result: 'output',
    template: 'symbol-namespace',
    pick: 'folder-opened',
    tool: 'tools',
  };
  return icons[kind];
}

/** What people call this kind of attachment, for one without a name of its own. */
export function kindWords(kind: AnyKind): string {
  const words: Readonly<Record<AnyKind, string>> = {
    file: t('File'),
    folder: t('Folder'),
    selection: t('Selection'),
    editors: t('Open editors'),
    diagnostics: t('Problems'),
    tests: t('Test results'),
    terminal: t('Terminal output'),
    changes: t('Git changes'),
    image: t('Image'),
    resource: t('Resource'),
    prompt: t('Prompt'),
    result: t('Result of a tool'),
    template: t('Resource template'),
    pick: t('Choose files or images…'),
    tool: t('Tool'),
  };
  return words[kind];
}

/** The name of an attachment, short enough for a chip; the tooltip has the rest. */
export function attachmentLabel({ kind, name }: { readonly kind: AnyKind; readonly name: string }): string {
  const shown = revealInvisible(name);
  const last = lastName(shown);
  if (shown === '') {
    return kindWords(kind);
  }
  if (kind === 'diagnostics' || kind === 'changes') {
    return t('{0}: {1}', kindWords(kind), last);
  }
  return kind === 'file' || kind === 'folder' || kind === 'selection' ? last : shown;
}

/** What a person should know about an attachment, in whole sentences, for the tooltip and for screen readers. */
export function attachmentNotes(attachment: Attachment): readonly string[] {
  const { secrets, isWithheld, isCut, changed, outcome, problem } = attachment;
  return [
    ...(problem === undefined || outcome !== undefined ? [] : [problem]),
    ...(outcome === undefined || outcome === 'sent' ? [] : [t('Not sent.')]),
    ...(isWithheld === true && outcome === undefined
      ? [t('It is one of the files that are withheld: you are asked before it is sent.')]
      : []),
    ...(secrets === undefined || outcome !== undefined
      ? []
      : [
          plural(
            secrets,
            () => t('1 text in it looks like a secret: you are asked before it is sent.'),
            (count) => t('{0} texts in it look like secrets: you are asked before it is sent.', count),
          ),
        ]),
    ...(isCut === true ? [t('Not all of it fits: the end is left out.')] : []),
    ...(changed === undefined ? [] : [changedNote(changed, outcome !== undefined)]),
  ];
}

function changedNote(changed: NonNullable<Attachment['changed']>, isSent: boolean): string {
  if (isSent) {
    return t('Changed since it was sent.');
  }
  return changed === 'live'
    ? t('Changed since you attached it: what is there now is sent.')
    : t('Changed since you attached it: what you attached is sent.');
}

export function attachmentTooltip(attachment: Attachment): string {
  const { kind, name, server, bytes } = attachment;
  const words = attachment.isPdf === true ? t('PDF') : kindWords(kind);
  const what = name === '' ? words : `${words}: ${revealInvisible(name)}`;
  const from = server === undefined ? [] : [t('From the server {0}', revealInvisible(server))];
  return [what, ...from, ...(bytes === undefined ? [] : [formatBytes(bytes)]), ...attachmentNotes(attachment)].join('\n');
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/', path.length - 2) + 1) || path;
}
