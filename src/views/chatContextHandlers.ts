import * as vscode from 'vscode';
import type { ChatPlace } from '../chat/chatPlaces.ts';
import { sentPicture } from '../chat/context/sentPicture.ts';
import type { ChatContext } from '../chat/context/chatContext.ts';
import type { ContextRef } from '../chat/context/contextSources.ts';
import type { contextToHost, contextToView } from '../contract/chat/attachments.ts';
import { toClientPath } from '../editor/shared/clientUris.ts';
import type { Handlers, WebviewLink } from './webviewLink.ts';

type Post = WebviewLink<typeof contextToHost, typeof contextToView>['post'];

/** What the page says about what is attached. */
export function chatContextHandlers(
  place: () => Pick<ChatPlace, 'context' | 'session'>,
  post: Post,
  run: (work: Promise<unknown>) => void,
): Handlers<typeof contextToHost> {
  const context = (): ChatContext => place().context;
  return {
    'context/suggest': ({ requestId, trigger, query }) =>
      run(
        context()
          .suggest(trigger, query)
          .then((items) => {
            if (items !== undefined) {
              post('context/suggestions', { requestId, items: [...items] });
            }
          }),
      ),
    'context/leave': () => context().leave(),
    'context/choose': ({ id }) => run(context().choose(id)),
    'context/remove': ({ id }) => context().remove(id),
    'context/image': (image) => run(context().attachImage(image)),
    'context/picture': ({ itemId, id }) => {
      const picture = sentPicture(place().session.conversation, itemId, id);
      if (picture !== undefined) {
        post('context/picture', { id, mimeType: picture.mimeType, data: picture.data });
      }
    },
    'context/drop': ({ uris }) => run(attachDropped(context(), uris)),
    'context/complete': ({ requestId, formId, argument, values }) =>
      run(
        context()
          .complete(formId, argument, values)
          .then((found) => {
            if (found !== undefined) {
              post('context/completions', { requestId, values: [...found] });
            }
          }),
      ),
    'context/fill': ({ formId, values }) => run(context().fill(formId, values)),
    'context/closeForm': () => context().closeForm(),
  };
}

/** Files alone: a link to the web is nothing that could be read. */
async function attachDropped(context: ChatContext, uris: readonly string[]): Promise<void> {
  const parsed = uris.flatMap((text) => {
    const uri = vscode.Uri.parse(text);
    return /^(?:https?|data|command|javascript)$/i.test(uri.scheme) ? [] : [uri];
  });
  await context.attach(await Promise.all(parsed.map(refOfUri)));
}

export async function refOfUri(uri: vscode.Uri): Promise<ContextRef> {
  return { kind: (await isFolder(uri)) ? 'folder' : 'file', path: toClientPath(uri) };
}

/** By a dialog of the editor's own. */
export async function pickFilesToAttach(): Promise<readonly ContextRef[]> {
  const uris = await vscode.window.showOpenDialog({ canSelectMany: true, openLabel: vscode.l10n.t('Attach') });
  return Promise.all((uris ?? []).map(refOfUri));
}

async function isFolder(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.Directory) !== 0;
  } catch {
    return false; // reading it says why it is not there
  }
}
