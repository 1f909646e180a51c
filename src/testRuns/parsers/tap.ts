import { placesWithOwn } from './places.ts';
import {
  failure,
  linesOf,
  reportLimits,
  type ParsedFailure,
  type ParsedReport,
  type Place,
  type ReportText,
  type TestCounts,
} from './report.ts';
import { diagnosticAt, type Diagnostic } from './tapDiagnostic.ts';

const point = /^(\s*)(not )?ok\b(?:\s+\d+)?(?:\s+-)?\s*(.*)$/;
const directive = /(?:^|\s)#\s*(skip|todo)\b/i;
const summaryLine = /^# (pass|fail|cancelled|skipped|todo)\s+(\d+)\s*$/;

/** One level of subtests that is being read. */
interface Level {
  readonly indent: number;
  /** Points at deeper levels since the last point of this one: then the next point sums them up. */
  hasChildren: boolean;
}

/** TAP 13 and 14 with subtests and YAML diagnostics, as node:test, tap, tape and prove write it. */
export function parseTap({ text, isCut }: ReportText): ParsedReport | undefined {
  if (!/^TAP version 1[34]\s*$/m.test(text) && !(/^1\.\.\d+/m.test(text) && /^(?:not )?ok\b/m.test(text))) {
    return undefined;
  }
  const reader = new TapReader();
  const lines = linesOf(text);
  for (let index = 0; index < lines.length;) {
    index += reader.read(lines, index);
  }
  const summary = reader.summary();
  const isEnded = /^1\.\.\d+/m.test(text) || summary !== undefined;
  return { format: 'tap', counts: summary ?? (isCut || !isEnded ? undefined : reader.counts()), failures: reader.failures };
}

class TapReader {
  readonly failures: ParsedFailure[] = [];
  readonly #counts = { passed: 0, failed: 0, skipped: 0 };
  readonly #summary = new Map<string, number>();
  /** node:test goes on after the failures. */
  #isFromNode = false;
  #isSummaryWhole = false;
  readonly #levels: Level[] = [{ indent: 0, hasChildren: false }];
  readonly #names: { readonly indent: number; readonly name: string }[] = [];

  /** Returns how many lines it took. */
  read(lines: readonly string[], index: number): number {
    const line = lines[index] ?? '';
    const match = point.exec(line);
    if (match === null) {
      this.#note(line);
      return 1;
    }
    const [, space = '', not, description = ''] = match;
    if (description.endsWith('{')) {
      // Its subtests follow, and count instead of it.
      this.#openName(space.length, titleOf(description.slice(0, -1)));
      return 1;
    }
    const { taken, read } = diagnosticAt(lines, index + 1, space.length);
    this.#point(space.length, not !== undefined, description, read);
    return 1 + taken;
  }

  /** node:test says its own counts, in which suites do not count. */
  summary(): TestCounts | undefined {
    if (!this.#summary.has('pass') || !this.#isSummaryWhole) {
      return undefined;
    }
    const value = (name: string): number => this.#summary.get(name) ?? 0;
    const skipped = this.#summary.has('skipped') ? value('skipped') + value('todo') : this.#counts.skipped;
    return { passed: value('pass'), failed: value('fail') + value('cancelled'), skipped };
  }

  counts(): TestCounts {
    return { ...this.#counts };
  }

  #note(line: string): void {
    const closing = /^(\s*)\}\s*$/.exec(line);
    if (closing !== null) {
      this.#dropNames(closing[1]?.length ?? 0);
      return;
    }
    const subtest = /^(\s*)# Subtest: (.*)$/.exec(line);
    if (subtest !== null) {
      const indent = subtest[1]?.length ?? 0;
      this.#openName(indent, subtest[2] ?? '');
      return;
    }
    this.#isSummaryWhole ||= /^# (?:duration_ms \S+|ok)$/.test(line) || (/^# fail\s+\d+\s*$/.test(line) && !this.#isFromNode);
    this.#isFromNode ||= /^# suites \d+$/.test(line);
    const [, name, count] = summaryLine.exec(line) ?? [];
    if (name !== undefined) {
      this.#summary.set(name, Number(count));
    }
  }

  #point(indent: number, isBad: boolean, description: string, diagnosticOf: () => Diagnostic): void {
    const isParent = this.#enterLevel(indent);
    const wish = directive.exec(description)?.[1];
    const isOwnFailure = !isParent || (isBad && failsByItself(diagnosticOf()));
    this.#dropNames(indent);
    if (!isOwnFailure) {
      return;
    }
    const outcome = wish !== undefined ? 'skipped' : isBad ? 'failed' : 'passed';
    this.#counts[outcome] += 1;
    if (outcome === 'failed' && this.failures.length < reportLimits.failures) {
      const name = [...this.#names.map((entry) => entry.name), titleOf(description)].join(' > ');
      const diagnostic = diagnosticOf();
      this.failures.push(failure(name, diagnostic.message, placesOf(diagnostic)));
    }
  }

  /** Whether the point sums up points below it. */
  #enterLevel(indent: number): boolean {
    while (this.#levels.length > 1 && (this.#levels.at(-1)?.indent ?? 0) > indent) {
      this.#levels.pop();
    }
    let level = this.#levels.at(-1);
    if (level === undefined || level.indent < indent) {
      level = { indent, hasChildren: false };
      this.#levels.push(level);
    }
    const isParent = level.hasChildren;
    level.hasChildren = false;
    const above = this.#levels.at(-2);
    if (above !== undefined) {
      above.hasChildren = true;
    }
    return isParent;
  }

  #openName(indent: number, name: string): void {
    this.#dropNames(indent);
    if (this.#names.length < reportLimits.nesting) {
      this.#names.push({ indent, name });
    }
  }

  /** A subtest is announced at the indentation of the point that ends it (node:test), or one deeper (TAP 14). */
  #dropNames(indent: number): void {
    while ((this.#names.at(-1)?.indent ?? -1) >= indent) {
      this.#names.pop();
    }
  }
}

/** A point that sums up others fails with them; node:test says so when there is more to it. */
function failsByItself({ failureType }: Diagnostic): boolean {
  return failureType !== undefined && failureType !== 'subtestsFailed';
}

function titleOf(description: string): string {
  return description.replace(/\s*#\s*time=.*$/i, '').trim();
}

function placesOf({ location, stack }: Diagnostic): Place[] {
  const [, file, line] = /^(.*?):(\d+)(?::\d+)?$/.exec(location) ?? [];
  return placesWithOwn(stack, file, line);
}
