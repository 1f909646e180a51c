import type { FileReference } from '../../contract/fileReference.ts';

/**
 * Markdown as data. This closed set of nodes is all that text from a model can become on the page: there is no node for
 * HTML, for an image that loads, or for an address that was not checked.
 */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'break' }
  | { readonly kind: 'checkbox'; readonly checked: boolean }
  | { readonly kind: 'strong' | 'emphasis' | 'deleted'; readonly children: readonly Inline[] }
  | {
      readonly kind: 'link';
      /** Checked by `openableHref`. */
      readonly href: string;
      readonly children: readonly Inline[];
      /** The host it leads to, when the text names another. */
      readonly disguisedHost?: string;
    }
  /** A file of the workspace, as far as the text says. */
  | { readonly kind: 'file'; readonly reference: FileReference; readonly children: readonly Inline[] }
  /** An image is named, never loaded. */
  | { readonly kind: 'image'; readonly alt: string; readonly href?: string };

export type Alignment = 'left' | 'center' | 'right' | undefined;

export type Block =
  | { readonly kind: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly kind: 'heading'; readonly depth: number; readonly children: readonly Inline[] }
  | {
      readonly kind: 'code';
      readonly language: string;
      readonly text: string;
      /** As the block or the text above it names it. */
      readonly file?: string;
    }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'list'; readonly start: number | undefined; readonly items: readonly (readonly Block[])[] }
  | {
      readonly kind: 'table';
      readonly align: readonly Alignment[];
      readonly header: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    }
  | { readonly kind: 'rule' }
  /** What Markdown would hide or run (HTML, comments), as the text it is. */
  | { readonly kind: 'raw'; readonly text: string };

export interface TopBlock {
  /** Equal for equal content: lets a finished block keep its DOM while the next one streams. */
  readonly source: string;
  readonly block: Block;
}
