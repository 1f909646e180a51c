const previewCharacters = 300;

export interface LinePreview {
  readonly preview: string;
  /** Only of a part of the line: at which character it starts, from 1. */
  readonly previewStart?: number;
}

/** The line as it is; of a long one the part around the match. */
export function previewOf(line: string, start: number, end: number): LinePreview {
  if (line.length <= previewCharacters) {
    return { preview: line };
  }
  const room = Math.max(0, previewCharacters - (end - start));
  const from = Math.max(0, Math.min(start - Math.floor(room / 2), line.length - previewCharacters));
  return { preview: line.slice(from, from + previewCharacters), previewStart: from + 1 };
}
