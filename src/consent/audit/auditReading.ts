import type { AuditBars, AuditFilter } from '../../contract/pages/auditMessages.ts';
import { type AuditLine, auditLine, hashOf, isSealOf, sealOf } from './auditLine.ts';

/** The most lines that are kept for the page, the latest ones; the chain of hashes is checked over all lines. */
const maxKept = 20_000;
/** How many lines are read before other work gets a chance. */
const slice = 500;
/** The length of an hour in ms. */
const hourMs = 3_600_000;
/** The most names in the chart; all others are one. */
const maxNames = 4;

export interface ReadLine extends AuditLine {
  /** Where the line is: `audit.jsonl:12`. */
  readonly place: string;
}

export interface AuditParts {
  readonly parts: readonly { readonly name: string; readonly lines: readonly string[] }[];
  readonly seal: string | undefined;
  /** Whether no old part of the log has been removed yet. */
  readonly hasAll: boolean;
}

export interface ReadAudit {
  /** The lines, the latest first. */
  readonly lines: readonly ReadLine[];
  readonly total: number;
  readonly verdict: ChainVerdict;
}

/** Reads all parts of the log and checks the chain. It pauses now and then, because there may be hundreds of thousands of lines. */
export async function readAudit({ parts, seal, hasAll }: AuditParts, key: string, letOthersRun: () => Promise<void>): Promise<ReadAudit> {
  const check = new ChainCheck(hasAll);
  const lines: ReadLine[] = [];
  let total = 0;
  for (const { name, lines: texts } of parts) {
    for (const [index, text] of texts.entries()) {
      const line = check.take({ part: name, number: index + 1, text });
      if (line !== undefined) {
        lines.push({ ...line, place: `${name}:${index + 1}` });
      }
      total += 1;
      if (total % slice === 0) {
        await letOthersRun();
      }
    }
    lines.splice(0, lines.length - maxKept);
  }
  return { lines: lines.reverse(), total, verdict: check.verdict(seal, key) };
}

/** Whether a line fits the filter. What the person typed may be anywhere in the text, in upper or lower case. */
export function matchesFilter(
  line: ReadLine,
  words: { readonly who: string; readonly what: string },
  filter: AuditFilter,
  now: number,
): boolean {
  const has = (text: string, part: string): boolean => text.toLowerCase().includes(part.trim().toLowerCase());
  return (
    has(`${words.who} ${line.principal} ${line.peer}`, filter.who) &&
    has(`${line.peer} ${offeringServer(line)}`, filter.server) &&
    has(`${words.what} ${line.action} ${line.subject}`, filter.what) &&
    (filter.outcome === '' || line.outcome === filter.outcome) &&
    (filter.hours === 0 || Date.parse(line.time) >= now - filter.hours * hourMs)
  );
}

/** The most names of one credential that are told: the one of the window may be used by any program of the person. */
const maxClientNames = 3;

/**
 * What the clients called themselves when they were let in, by their principals. The line of a call at an offered server names that
 * server, and of the client only the credential, which nobody knows by heart.
 */
export function namesByClient(lines: readonly ReadLine[]): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, readonly string[]>();
  for (const { principal, action, peer } of lines) {
    const known = names.get(principal) ?? [];
    if (action === 'connectClient' && known.length < maxClientNames && !known.includes(peer)) {
      names.set(principal, [...known, peer]);
    }
  }
  return names;
}

/** The server in the name of an offered tool or prompt: what is refused to a client before the server is asked has no other. */
function offeringServer({ subject }: ReadLine): string {
  const end = subject.indexOf('__');
  return end === -1 ? '' : subject.slice(0, end);
}

/** The calls of the last 24 hours, for a chart. A line that only says that something began or was allowed is no call. */
export function barsOf(lines: readonly ReadLine[], nameOf: (line: ReadLine) => string, others: string, now: number): AuditBars {
  const first = Math.floor(now / hourMs) * hourMs - 23 * hourMs;
  const calls = lines.filter(({ time, outcome }) => outcome !== 'allowed' && outcome !== 'started' && Date.parse(time) >= first);
  const totals = new Map<string, number>();
  for (const line of calls) {
    totals.set(nameOf(line), (totals.get(nameOf(line)) ?? 0) + 1);
  }
  const ranked = [...totals].sort(([, one], [, other]) => other - one).map(([name]) => name);
  const names = ranked.length > maxNames ? [...ranked.slice(0, maxNames - 1), others] : ranked;
  const hours = Array.from({ length: 24 }, (_, index) => ({
    start: new Date(first + index * hourMs).toISOString(),
    counts: names.map(() => 0),
  }));
  for (const line of calls) {
    const place = names.indexOf(nameOf(line));
    const counts = hours[Math.floor((Date.parse(line.time) - first) / hourMs)]?.counts;
    const column = place < 0 ? names.length - 1 : place;
    if (counts?.[column] !== undefined) {
      counts[column] += 1;
    }
  }
  return { hours, names };
}

/** A line of the log and where it is. */
export interface StoredLine {
  /** The name of the file. */
  readonly part: string;
  /** The number of the line in the file, from 1. */
  readonly number: number;
  readonly text: string;
}

export type ChainVerdict =
  | { readonly kind: 'holds'; readonly count: number }
  /** The chain holds, but no seal vouches for the last line. */
  | { readonly kind: 'unsealed'; readonly count: number }
  /** The first line that was changed, or next to which one is missing. */
  | { readonly kind: 'broken'; readonly part: string; readonly number: number }
  /** There is a seal, but no line. */
  | { readonly kind: 'emptied' };

/** Checks the chain of hashes, line by line, oldest first. */
export class ChainCheck {
  readonly #hasAllParts: boolean;
  #last: StoredLine | undefined;
  #count = 0;
  #broken: StoredLine | undefined;

  /** `hasAllParts`: no old part was removed, so that the first line must be the very first. */
  constructor(hasAllParts: boolean) {
    this.#hasAllParts = hasAllParts;
  }

  /** Checks the next line and gives back what it says; undefined when it cannot be read. */
  take(line: StoredLine): AuditLine | undefined {
    const read = parse(line.text);
    if (read === undefined) {
      this.#broken ??= line;
    } else if (this.#last === undefined) {
      this.#broken ??= this.#hasAllParts && read.previous !== '' ? line : undefined;
    } else if (read.previous !== hashOf(this.#last.text)) {
      this.#broken ??= this.#last;
    }
    this.#last = line;
    this.#count += 1;
    return read;
  }

  /** The result of the check, after the last line. */
  verdict(seal: string | undefined, key: string): ChainVerdict {
    if (this.#last === undefined) {
      return seal === undefined || seal === '' ? { kind: 'holds', count: 0 } : { kind: 'emptied' };
    }
    // There are several seals when a window was killed while it wrote.
    const seals = seal?.split('\n').filter((each) => isSealOf(each, key)) ?? [];
    const isSealed = seals.length > 0;
    if (isSealed && !seals.includes(sealOf(this.#last.text, key))) {
      this.#broken ??= this.#last;
    }
    if (this.#broken !== undefined) {
      return { kind: 'broken', part: this.#broken.part, number: this.#broken.number };
    }
    return { kind: isSealed ? 'holds' : 'unsealed', count: this.#count };
  }
}

function parse(text: string): AuditLine | undefined {
  try {
    return auditLine().parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
