import { Fragment, type JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { sliceText, type Slice } from '../../markdown/slices.ts';
import { drawingMark, useMany, useSlices } from '../../shared/plainText.tsx';
import { wholeText } from '../../shared/wholeText.ts';

/** A part of a text that a question shows: as it is, or the number of a secret that stands there. */
type ActPiece = string | number;

interface ActTextProps {
  /** The accessible name, and what kind of thing it names. */
  readonly label: string;
  readonly role: 'group' | 'region';
  readonly pieces: readonly ActPiece[];
  /** How the place of a secret is drawn, where there can be any. */
  readonly drawSecret?: ((secret: number) => JSX.Element) | undefined;
  /** What is said in place of no text. */
  readonly empty?: string | undefined;
}

/**
 * All of a text that a question is about. A long one is drawn over several frames, so that the page stays responsive, and no end of
 * its card counts as seen before all of it is there.
 */
export function ActText({ label, role, pieces, drawSecret, empty }: ActTextProps): JSX.Element {
  // By what it says: pages are told of the same question again and again, and must not begin anew each time.
  const written = JSON.stringify(pieces);
  const slices = useMemo(() => slicePieces(JSON.parse(written) as readonly ActPiece[]), [written]);
  const drawn = useSlices(slices);
  const isWhole = drawn.length === slices.length && drawn.every(({ value }, index) => value === slices[index]?.value);
  return (
    <pre class="act-text" tabIndex={0} role={role} aria-label={label} {...(isWhole ? {} : drawingMark)}>
      {pieces.length === 0 && empty !== undefined && <span class="secondary">{empty}</span>}
      {slices.length < 2
        ? drawn.map(({ value }) => drawPieces(value, drawSecret))
        : drawn.map(({ value }, index) => (
            <span key={index} class="act-piece">
              {drawPieces(value, drawSecret)}
            </span>
          ))}
    </pre>
  );
}

function drawPieces(pieces: readonly ActPiece[], drawSecret: ActTextProps['drawSecret']): readonly (JSX.Element | string)[] {
  return pieces.map((piece, index) => (typeof piece === 'string' ? piece : <Fragment key={index}>{drawSecret?.(piece)}</Fragment>));
}

/** What a part of a question costs besides its text, so that not many are drawn at once. */
const partWeight = 100;

/** How many of so many parts of a question can be drawn by now. */
export function useCount(length: number): number {
  return useMany(
    useMemo(() => Array.from({ length }, (_, index) => index), [length]),
    partWeight,
  ).length;
}

/** The longest text that is drawn in one go, in which nothing is a block of its own. */
const maxAtOnce = 1_500;
/** What a slice costs at least before a line may be cut where nothing breaks it. */
const enoughWeight = 120;
/** The mark of a secret is an element of its own. */
const secretWeight = 3;

/** Cuts a text into slices that are blocks of their own, between lines where there are any. A secret stays in its line. */
export function slicePieces(pieces: readonly ActPiece[]): readonly Slice<readonly ActPiece[]>[] {
  const shown = pieces.map((piece) => (typeof piece === 'string' ? wholeText(piece) : piece));
  const isShort = shown.reduce<number>((sum, piece) => sum + (typeof piece === 'string' ? piece.length : secretWeight), 0) <= maxAtOnce;
  const slices: Slice<readonly ActPiece[]>[] = [];
  let [value, weight]: [ActPiece[], number] = [[], 0];
  const close = (): void => {
    slices.push({ value, weight });
    [value, weight] = [[], 0];
  };
  const parts = shown.flatMap((piece): readonly Slice<ActPiece>[] =>
    typeof piece === 'string' ? sliceText(piece) : [{ value: piece, weight: secretWeight }],
  );
  for (const part of parts) {
    value.push(part.value);
    weight += part.weight;
    if (!isShort && typeof part.value === 'string' && (part.value.endsWith('\n') || weight >= enoughWeight)) {
      close();
    }
  }
  if (value.length > 0) {
    close();
  }
  return slices;
}
