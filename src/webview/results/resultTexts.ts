/** How far a call is, in the server's own numbers. */
export interface CallProgress {
  readonly value: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** Undefined where the end is not known. */
export function progressShare(progress: CallProgress | undefined): number | undefined {
  if (progress?.total === undefined || !(progress.total > 0)) {
    return undefined;
  }
  return Math.min(1, Math.max(0, progress.value / progress.total));
}

/** A unified diff, by its first lines: shown in the colours of one. */
export function isDiff(text: string): boolean {
  return /^(?:diff --git [^\n]*\n(?:[^\n]*\n){0,6})?--- [^\n]*\n\+\+\+ [^\n]*\n@@ /.test(text.slice(0, 4_000));
}

const maxLines = 24;
const maxCharacters = 4_000;

/** The beginning of a long result; `undefined` when it is short enough to show whole. */
export function cutText(text: string): string | undefined {
  const lines = text.split('\n', maxLines + 1);
  const cut = lines.slice(0, maxLines).join('\n').slice(0, maxCharacters);
  return cut.length < text.length ? cut : undefined;
}
