import * as vscode from 'vscode';
import type { ChatPlace } from '../../chat/places/chatPlaces.ts';
import type { ContentWish } from '../../chat/models/contentOffers.ts';
import type { ChatContext } from '../../chat/context/chatContext.ts';
import type { ContextRef } from '../../chat/context/contextSources.ts';
import { sentPicture } from '../../chat/conversation/messageAttachments.ts';
import type { contextToHost, contextToView, GoneAttachment } from '../../contract/chat/attachments.ts';
import { ownSchemes } from '../../contract/identity.ts';
import { rangeRef, selectionRef } from '../../editor/context/editorContext.ts';
import { toClientPath } from '../../editor/shared/clientPlaces.ts';
import { nativeText } from '../nativeText.ts';
import type { Handlers, WebviewLink } from '../pages/webviewLink.ts';
import type { ResourceDocuments } from '../resources/resourceDocuments.ts';

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

async function refOfUri(uri: vscode.Uri): Promise<ContextRef> {
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

/** Lines around a problem that tell what it is about. */
const linesAround = 8;

/** A problem of a file, as a quick fix names it. */
export interface ProblemTarget {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  readonly kind: 'problem';
}

/**
 * What a menu, a quick fix or the palette means. The editor's menu names its file, and means what is selected in it; the Explorer
 * and the source control view name all that is selected there; a test item is its source and what came of the last run.
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
    return [...(range === undefined ? [await refOfUri(first.uri)] : [await rangeOf(first.uri, range)]), { kind: 'tests' }];
  }
  const active = editor;
  return active === undefined ? [] : [selectionRef(active) ?? (await refOfUri(active.document.uri))];
}

/** The problem and the lines around it. */
export async function problemRefs({ uri, range }: ProblemTarget): Promise<readonly ContextRef[]> {
  const lines = { start: range.start.line + 1, end: range.end.line + 1 };
  const around = new vscode.Range(Math.max(0, range.start.line - linesAround), 0, range.end.line + linesAround + 1, 0);
  return [{ kind: 'diagnostics', path: toClientPath(uri), lines }, await rangeOf(uri, around)];
}

export type ProblemWish = 'fix' | 'explain';

/** For the person to send, or to change first. */
export function problemDraft(wish: ProblemWish): string {
  return wish === 'fix'
    ? vscode.l10n.t('Fix the attached problem.')
    : vscode.l10n.t('Explain the attached problem: what it means and where it comes from.');
}

/** Does not wait for the person to close it. */
export function sayNoProblem(): void {
  void vscode.window.showInformationMessage(vscode.l10n.t('There is no problem at the cursor.'));
}

export function isProblem(value: unknown): value is ProblemTarget {
  return (
    hasProperty(value, 'kind') &&
    value.kind === 'problem' &&
    hasProperty(value, 'uri') &&
    value.uri instanceof vscode.Uri &&
    hasProperty(value, 'range') &&
    value.range instanceof vscode.Range
  );
}

/** At the cursor of the last editor, for those who call a command without one. */
export function problemAtCursor(editor: vscode.TextEditor | undefined): ProblemTarget | undefined {
  if (editor === undefined) {
    return undefined;
  }
  const { uri } = editor.document;
  const { active } = editor.selection;
  const here = vscode.languages.getDiagnostics(uri).filter(({ range }) => range.start.line <= active.line && range.end.line >= active.line);
  const best = here.sort((one, other) => one.severity - other.severity)[0];
  return best === undefined ? undefined : { kind: 'problem', uri, range: best.range };
}

async function rangeOf(uri: vscode.Uri, range: vscode.Range): Promise<ContextRef> {
  const document = await vscode.workspace.openTextDocument(uri);
  return rangeRef(document, document.validateRange(range));
}

function hasProperty<K extends string>(value: unknown, name: K): value is Readonly<Record<K, unknown>> {
  return typeof value === 'object' && value !== null && name in value;
}

/** The resource of a server whose document a menu or the palette means. What is selected in it is a selection like any other. */
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

/** Does not wait for the person to close it. */
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
    return `“${nativeText(name, 80)}”`;
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
