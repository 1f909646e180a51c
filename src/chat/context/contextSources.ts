// context/: what a person attaches to a message: where it comes from (this file), what is suggested while they write
// (contextSuggestions.ts), the attachments of the unsent message (pendingAttachments.ts), and the forms for arguments of prompts and
// templates (argumentForms.ts). chatContext.ts is all of it, as the view sees it.
import type { Disposable } from '../../base/lifecycle.ts';
import type { AttachmentKind, GoneAttachment, KeptAttachment } from '../../contract/chat/attachments.ts';
import type { ChatContent } from '../content/hostPorts.ts';
import type { GivenContent } from '../conversation/messageAttachments.ts';
import type { ContentWish } from '../models/contentOffers.ts';

/** A range of lines; the first line is 1, and both ends are included. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** Something of the editor that can be read and attached. */
export type ContextRef =
  | { readonly kind: 'file' | 'folder'; readonly path: string }
  /** The selected text as it was when it was attached. */
  | { readonly kind: 'selection'; readonly path: string; readonly lines: LineRange; readonly text: string }
  | { readonly kind: 'diagnostics'; readonly path?: string | undefined; readonly lines?: LineRange | undefined }
  | { readonly kind: 'changes'; readonly path?: string | undefined }
  | { readonly kind: 'editors' | 'tests' | 'terminal' };

export interface FoundContext {
  readonly ref: ContextRef;
  /** How many problems, editors or changed files it stands for. */
  readonly count?: number | undefined;
}

export interface ContextReading {
  readonly content: readonly GivenContent[];
  /** Equal for two readings as long as nothing has changed. */
  readonly version: string;
  /** Whether it is a file that clients are not shown. */
  readonly isWithheld: boolean;
}

/** The port through which the editor is read. Paths are as clients write them. */
export interface ContextSources {
  /** What the editor has at the moment beside files: the selection, problems, test results, terminal output, changes. */
  present(signal: AbortSignal): Promise<readonly FoundContext[]>;
  /** Files and folders of the workspace that the query may mean, in any order. */
  candidates(query: string, signal: AbortSignal): Promise<readonly FoundContext[]>;
  /** Whether it is a file that clients are not shown. */
  isWithheld(ref: ContextRef): boolean;
  /** Reads it. Rejects with an AppError when it is gone, too large or not text. */
  read(ref: ContextRef, signal: AbortSignal): Promise<ContextReading>;
  /** The text of these lines now, as if it had been selected. Rejects when the lines are gone. */
  selectLines(path: string, lines: LineRange): Promise<ContextRef>;
  /** Calls back, perhaps often, when `read` may give something else. */
  watch(ref: ContextRef, onChange: () => void): Disposable;
}

/** Whether this kind is sent as it is when the message is sent. Other kinds are sent as they were when they were attached. */
export function isLive(kind: AttachmentKind): boolean {
  return kind === 'file' || kind === 'folder' || kind === 'editors' || kind === 'diagnostics' || kind === 'changes';
}

/** The name that the chip of an attachment shows. */
export function nameOfRef(ref: ContextRef): string {
  switch (ref.kind) {
    case 'file':
    case 'folder':
      return ref.path;
    case 'selection':
      return `${ref.path}:${linesText(ref.lines)}`;
    case 'diagnostics':
      return ref.path === undefined || ref.lines === undefined ? (ref.path ?? '') : `${ref.path}:${linesText(ref.lines)}`;
    case 'changes':
      return ref.path ?? '';
    case 'editors':
    case 'tests':
    case 'terminal':
      return '';
  }
}

function linesText({ start, end }: LineRange): string {
  return start === end ? `${start}` : `${start}-${end}`;
}

/** How an attachment is found again after a reload. What was true only at one moment, such as a terminal's output, is gone then. */
export function keptOfRef(ref: ContextRef): KeptAttachment {
  switch (ref.kind) {
    case 'selection':
      return { kind: 'selection', path: ref.path, lines: ref.lines };
    case 'tests':
    case 'terminal':
      return { kind: 'gone', what: ref.kind, name: '' };
    case 'editors':
      return { kind: 'editors' };
    case 'file':
    case 'folder':
    case 'diagnostics':
    case 'changes':
      return ref;
  }
}

/**
 * How a resource or prompt is found again after a reload. One with a secret in its address or arguments is not stored, and is gone
 * then.
 */
export async function keptOfWish(wish: ContentWish, shownName: string, secretsIn: ChatContent['secretsIn']): Promise<KeptAttachment> {
  const { serverId, server, name } = wish;
  const told = wish.kind === 'resource' ? wish.uri : JSON.stringify(wish.arguments);
  if ((await secretsIn(`${name}\n${told}`)).length > 0) {
    return { kind: 'gone', what: wish.kind, name: shownName };
  }
  return wish.kind === 'resource'
    ? { kind: 'resource', serverId, server, name, uri: wish.uri }
    : { kind: 'prompt', serverId, server, name, description: wish.description, arguments: { ...wish.arguments } };
}

export function goneOf(kept: KeptAttachment): GoneAttachment {
  switch (kept.kind) {
    case 'gone':
      return kept;
    case 'resource':
    case 'prompt':
      return { kind: 'gone', what: kept.kind, name: kept.name };
    case 'selection':
      return { kind: 'gone', what: kept.kind, name: nameOfRef({ ...kept, text: '' }) };
    case 'file':
    case 'folder':
    case 'diagnostics':
    case 'changes':
    case 'editors':
      return { kind: 'gone', what: kept.kind, name: nameOfRef(kept) };
  }
}
