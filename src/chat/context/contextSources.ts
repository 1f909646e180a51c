// context/: what a person attaches to a message: where it comes from (this file), what is suggested while they write
// (contextSuggestions.ts), the chips that wait (pendingAttachments.ts), arguments of prompts and templates (argumentForms.ts), and
// how all of it becomes part of a turn (attachToTurn.ts). chatContext.ts is the whole of it, as the view sees it.
import type { Disposable } from '../../base/lifecycle.ts';
import type { AttachmentKind, GoneAttachment, KeptAttachment } from '../../contract/chat/attachments.ts';
import type { ChatContent } from '../content/hostPorts.ts';
import type { GivenContent } from '../conversation/messageAttachments.ts';
import type { ContentWish } from '../models/contentOffers.ts';

/** 1-based, both included. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** Something of the editor's that can be read. */
export type ContextRef =
  | { readonly kind: 'file' | 'folder'; readonly path: string }
  /** As it was when it was attached. */
  | { readonly kind: 'selection'; readonly path: string; readonly lines: LineRange; readonly text: string }
  | { readonly kind: 'diagnostics'; readonly path?: string | undefined; readonly lines?: LineRange | undefined }
  | { readonly kind: 'changes'; readonly path?: string | undefined }
  | { readonly kind: 'editors' | 'tests' | 'terminal' };

export interface FoundContext {
  readonly ref: ContextRef;
  /** How many things it stands for: problems, editors, changed files. */
  readonly count?: number | undefined;
}

export interface ContextReading {
  readonly content: readonly GivenContent[];
  /** Equal as long as nothing has changed. */
  readonly version: string;
  /** One of those files that clients are not shown. */
  readonly isWithheld: boolean;
}

/** A port: the editor has it. Paths are as clients write them. */
export interface ContextSources {
  /** What there is at the moment besides files: the selection, problems, results, output, changes. */
  present(signal: AbortSignal): Promise<readonly FoundContext[]>;
  /** Files and folders of the workspace that may be meant, in any order; more than asked for come of a large one. */
  candidates(query: string, signal: AbortSignal): Promise<readonly FoundContext[]>;
  /** Whether it is one of those files that clients are not shown. */
  isWithheld(ref: ContextRef): boolean;
  /** Rejects with an AppError for what is gone, too large or no text. */
  read(ref: ContextRef, signal: AbortSignal): Promise<ContextReading>;
  /** What stands in these lines now, as if it had been selected. Rejects when it is gone. */
  selectLines(path: string, lines: LineRange): Promise<ContextRef>;
  /** Told, perhaps often, when `read` may answer otherwise. */
  watch(ref: ContextRef, onChange: () => void): Disposable;
}

/** What is sent is what is there then; of the others, what was there when it was attached. */
export function isLive(kind: AttachmentKind): boolean {
  return kind === 'file' || kind === 'folder' || kind === 'editors' || kind === 'diagnostics' || kind === 'changes';
}

/** What a chip says besides its kind. */
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

/** Where it is. What was caught at one moment, as a terminal's output is, cannot be read once more. */
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

/** Addresses and arguments in which there is a secret are written down nowhere. */
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
