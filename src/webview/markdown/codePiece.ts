/** A piece of code: text, or a named scope around pieces. Drawn as text nodes and spans, so there is no HTML to sanitise. */
export type CodePiece = string | CodeScope;
export interface CodeScope {
  readonly scope: string;
  readonly pieces: CodePiece[];
}

/** "title.function" → the class names the style sheet colours. */
export function scopeClass(scope: string): string {
  return scope
    .split('.')
    .map((part) => `code-${part.replace(/[^\w-]/g, '')}`)
    .join(' ');
}
