import * as vscode from 'vscode';
import type { ChatPlace } from '../../chat/places/chatPlaces.ts';
import type { ContentWish } from '../../chat/models/contentOffers.ts';
import type { ChatContext } from '../../chat/context/chatContext.ts';
import type { ContextRef } from '../../chat/context/contextSources.ts';
import { sentPicture } from '../../chat/conversation/messageAttachments.ts';
import type { contextToHost, contextToView, GoneAttachment } from '../../contract/chat/attachments.ts';
import { ownSchemes } from '../../contract/identity.ts';
import { selectionRef } from '../../editor/context/editorContext.ts';
import { toClientPath } from '../../editor/shared/clientPlaces.ts';
import { nativeText } from '../nativeText.ts';
import type { Handlers, WebviewLink } from '../pages/webviewLink.ts';
import type { ResourceDocuments } from '../resources/resourceDocuments.ts';
import { isProblem, problemRefs, refOfRange } from './problems.ts';

type Post = WebviewLink<typeof contextToHost, typeof contextToView>['post'];

/** Handles what the chat's page asks about attachments: suggestions, files that are dropped, pictures, arguments of prompts. */
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

/** Attaches what was dropped on the page. Links to the web are left out: there is no file behind them to read. */
async function attachDropped(context: ChatContext, uris: readonly string[]): Promise<void> {
  const parsed = uris.flatMap((text) => {
    const uri = vscode.Uri.parse(text);
    return /^(?:https?|data|command|javascript)$/i.test(uri.scheme) ? [] : [uri];
  });
  await context.attach(await Promise.all(parsed.map(refOfUri)));
}

async function refOfUri(uri: vscode.Uri): Promise<ContextRef> {
  return { kind: (await isFolder(uri)) ? 'folder' : 'file', path: toClientPath(uri) };
}

/** Lets the person pick files in the editor's own dialog. */
export async function pickFilesToAttach(): Promise<readonly ContextRef[]> {
  const uris = await vscode.window.showOpenDialog({ canSelectMany: true, openLabel: vscode.l10n.t('Attach') });
  return Promise.all((uris ?? []).map(refOfUri));
}

async function isFolder(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.Directory) !== 0;
  } catch {
    return false; // whoever reads it says why it is not there
  }
}

/**
 * Finds out what `Add to Chat` is to attach, from the arguments that a menu, a quick fix or the palette gives it. The editor's
 * menu names its file, and means what is selected in it; the Explorer and the source control view name all that is selected
 * there; a test item stands for its source and the results of the last run.
 */
export async function addToChatTargets(args: readonly unknown[], editor: vscode.TextEditor | undefined): Promise<readonly ContextRef[]> {
  const [first, second] = args;
  if (isProblem(first)) {
    return problemRefs(first);
  }
  if (first instanceof vscode.Uri) {
    const isSelectedIn = !Array.isArray(second) && editor?.document.uri.toString() === first.toString();
    const selection = isSelectedIn ? selectionRef(editor) : undefined;
    const uris = Array.isArray(second) ? second.filter((each) => each instanceof vscode.Uri) : [first];
    return selection === undefined ? Promise.all((uris.length === 0 ? [first] : uris).map(refOfUri)) : [selection];
  }
  if (hasProperty(first, 'resourceUri')) {
    const uris = args.flatMap((each) =>
      hasProperty(each, 'resourceUri') && each.resourceUri instanceof vscode.Uri ? [each.resourceUri] : [],
    );
    return uris.map((uri) => ({ kind: 'changes', path: toClientPath(uri) }));
  }
  if (hasProperty(first, 'resourceStates') || hasProperty(first, 'rootUri')) {
    return [{ kind: 'changes' }];
  }
  if (hasProperty(first, 'uri') && first.uri instanceof vscode.Uri) {
    const range = hasProperty(first, 'range') && first.range instanceof vscode.Range ? first.range : undefined;
    return [...(range === undefined ? [await refOfUri(first.uri)] : [await refOfRange(first.uri, range)]), { kind: 'tests' }];
  }
  const active = editor;
  return active === undefined ? [] : [selectionRef(active) ?? (await refOfUri(active.document.uri))];
}

function hasProperty<K extends string>(value: unknown, name: K): value is Readonly<Record<K, unknown>> {
  return typeof value === 'object' && value !== null && name in value;
}

/**
 * The resource of a server that `Add to Chat` is to attach, when the document it is called for shows one. Text that is selected
 * in such a document is attached as a selection instead.
 */
export function resourceTarget(
  args: readonly unknown[],
  editor: vscode.TextEditor | undefined,
  documents: ResourceDocuments,
): ContentWish | undefined {
  const [first] = args;
  const uri = first instanceof vscode.Uri ? first : first === undefined ? editor?.document.uri : undefined;
  const isSelectedIn = editor?.document.uri.toString() === uri?.toString() && editor?.selection.isEmpty === false;
  if (uri?.scheme !== ownSchemes.resource || isSelectedIn) {
    return undefined;
  }
  return documents.wishFor(uri);
}

/** Tells the person which attachments did not survive a reload of the window. Does not wait until they close the notification. */
export function tellOfGone(gone: readonly GoneAttachment[]): void {
  if (gone.length > 0) {
    const names = gone.map(nameOf).join(', ');
    const { t } = vscode.l10n;
    void vscode.window.showWarningMessage(
      nativeText(t('No longer attached since the window was loaded anew: {0}. Attach it again.', names), 600),
    );
  }
}

function nameOf({ what, name }: GoneAttachment): string {
  if (name !== '') {
    return vscode.l10n.t('“{0}”', nativeText(name, 80));
  }
  switch (what) {
    case 'terminal':
      return vscode.l10n.t('output of the terminal');
    case 'tests':
      return vscode.l10n.t('test results');
    case 'diagnostics':
      return vscode.l10n.t('problems');
    case 'editors':
      return vscode.l10n.t('open editors');
    case 'changes':
      return vscode.l10n.t('changes');
    case 'image':
      return vscode.l10n.t('image');
    case 'file':
    case 'folder':
    case 'selection':
    case 'resource':
    case 'prompt':
    case 'result':
      return vscode.l10n.t('something without a name');
  }
}
