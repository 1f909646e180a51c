import { useEffect, useRef, useState } from 'preact/hooks';
import { PagePart, usePart } from '../shared/pagePart.ts';
import type { CodePiece } from './codePiece.ts';

const highlighterPart = new PagePart(() => import('./highlightCode.ts'));

/** What one highlighting cost is to be a small share of the time until the next one of the same, growing code. */
const pausePerCost = 12;
const minPauseMs = 24;

interface Highlighted {
  readonly code: string;
  readonly language: string;
  readonly pieces: readonly CodePiece[];
  readonly costMs: number;
  readonly at: number;
}

/**
 * The code in pieces. While it streams in, what came since the last highlighting stands behind it as plain text for a moment:
 * the colours of what is there already never change back, and a long block does not cost its whole length at each frame.
 */
export function useHighlighting(code: string, language: string): readonly CodePiece[] {
  const part = usePart(highlighterPart);
  const last = useRef<Highlighted | undefined>(undefined);
  const [, catchUp] = useState(0);
  const before = last.current;
  const isGrowing =
    before !== undefined && before.language === language && code.length > before.code.length && code.startsWith(before.code);
  const waitMs = part === undefined || !isGrowing ? 0 : waitFor(before, performance.now());
  useEffect(() => {
    if (waitMs <= 0) {
      return undefined;
    }
    const timer = setTimeout(() => catchUp((count) => count + 1), waitMs);
    return () => clearTimeout(timer);
  });
  if (part === undefined) {
    return [code];
  }
  if (waitMs > 0 && before !== undefined) {
    return [...before.pieces, code.slice(before.code.length)];
  }
  if (before?.code !== code || before.language !== language) {
    const since = performance.now();
    const pieces = part.highlightCode(code, language);
    const at = performance.now();
    last.current = { code, language, pieces, costMs: at - since, at };
  }
  return last.current?.pieces ?? [code];
}

function waitFor({ costMs, at }: Highlighted, now: number): number {
  return at + Math.max(minPauseMs, costMs * pausePerCost) - now;
}
