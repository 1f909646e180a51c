import type { JSX } from 'preact';
import { revealInvisible } from '../../../base/visibleText.ts';
import type { EditedFile, EditsPart } from '../../../contract/chat/answerParts.ts';
import { plural } from '../../shared/formats.ts';
import { Icon } from '../../shared/elements.tsx';
import { t } from '../../shared/localize.ts';
import type { ChatIntents } from '../chatIntents.ts';
import { PathText } from './callWords.tsx';

export interface EditsCardProps {
  readonly itemId: string;
  readonly part: EditsPart;
  readonly intents: ChatIntents;
}

/** The card with the files that an answer changed, each with its diff, and one button that undoes all of it. */
export function EditsCard({ itemId, part: { files }, intents }: EditsCardProps): JSX.Element {
  const isAllUndone = files.every(({ undo }) => undo === 'undone');
  const title = plural(
    files.length,
    () => t('1 file changed'),
    (count) => t('{0} files changed', count),
  );
  return (
    <div class="edits" role="group" aria-label={title}>
      <div class="edits-head">
        <Icon name="diff-multiple" />
        <span class="edits-title">{title}</span>
        {!isAllUndone && (
          <button type="button" class="button is-quiet" onClick={() => intents.undoEdits(itemId)}>
            <Icon name="discard" />
            {t('Undo edits of this turn')}
          </button>
        )}
      </div>
      <ul class="edits-files">
        {files.map((file) => (
          <File key={file.path} file={file} onShow={() => intents.showEdit(itemId, file.path)} />
        ))}
      </ul>
      <div class="screen-reader-only" role="status">
        {isAllUndone ? t('All edits of this turn are undone.') : ''}
      </div>
    </div>
  );
}

function File({ file, onShow }: { readonly file: EditedFile; readonly onShow: () => void }): JSX.Element {
  const path = revealInvisible(file.path);
  const problem = problemOf(file);
  return (
    <li class={file.undo === 'undone' ? 'edited is-undone' : 'edited'}>
      <button type="button" class="edited-file" title={t('Show what changed in {0}', path)} onClick={onShow}>
        <Icon name={icons[file.change]} />
        <span class="edited-path">
          <PathText path={path} />
        </span>
        <span class="edited-word secondary">{file.undo === 'undone' ? t('undone') : changeWord(file)}</span>
      </button>
      {problem !== undefined && (
        <div class="edited-problem">
          <Icon name="warning" tone="warning" />
          <span>{problem}</span>
        </div>
      )}
    </li>
  );
}

const icons: Readonly<Record<EditedFile['change'], string>> = {
  changed: 'diff-modified',
  created: 'diff-added',
  deleted: 'diff-removed',
  moved: 'diff-renamed',
};

function changeWord({ change, from }: EditedFile): string {
  switch (change) {
    case 'changed':
      return t('changed');
    case 'created':
      return t('new');
    case 'deleted':
      return t('deleted');
    case 'moved':
      return from === undefined ? t('moved') : t('moved from {0}', revealInvisible(from));
  }
}

function problemOf({ undo }: EditedFile): string | undefined {
  switch (undo) {
    case 'changedSince':
      return t('Not undone: the file has changed since. Open it to see what this turn changed.');
    case 'notKept':
      return t('Not undone: how the file was before is not kept.');
    case 'failed':
      return t('Not undone: VS Code could not change the file.');
    case 'undone':
    case undefined:
      return undefined;
  }
}
