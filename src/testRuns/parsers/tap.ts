import { placesWithOwn } from './places.ts';
import {
  blocksIn,
  dedent,
  failure,
  isIndentedOrEmpty,
  isTestFile,
  joinReports,
  linesOf,
  type ParsedFailure,
  type ParsedReport,
  type Place,
  reportLimits,
  type ReportText,
  type TestCounts,
} from './report.ts';

const point = /^(\s*)(not )?ok\b(?:\s+\d+)?(?:\s+-)?\s*(.*)$/;
const directive = /(?:^|\s)#\s*(skip|todo)\b/i;
const summaryLine = /^# (pass|fail|cancelled|skipped|todo)\s+(\d+)\s*$/;

/** One level of subtests that is being read. */
interface Level {
  readonly indent: number;
  /** Whether there were points at deeper levels since the last point of this one: then the next point sums them up. */
  hasChildren: boolean;
}

/** Parses TAP 13 and 14 with subtests and YAML diagnostics, as node:test, tap, tape and prove write it. */
export function parseTap({ text, isCut }: ReportText): ParsedReport | undefined {
  if (!/^TAP version 1[34]\s*$/m.test(text) && !(/^1\.\.\d+/m.test(text) && /^(?:not )?ok\b/m.test(text))) {
    return undefined;
  }
  const lines = linesOf(text);
  let reader = new TapReader();
  const readers = [reader];
  for (let index = 0; index < lines.length;) {
    if (reader.isOverAt(lines[index] ?? '')) {
      reader = new TapReader();
      readers.push(reader);
    }
    index += reader.read(lines, index);
  }
  // Mocha writes its plan behind its summary, where it begins nothing.
  const runs = readers.filter((each, index) => index === 0 || !each.hasOnlyPlan());
  return joinReports(
    runs.map((each) => each.report(isCut)),
    isCut,
  );
}

/** Reads the output of one run: several may follow one another, each with a summary of its own. */
class TapReader {
  readonly #failures: ParsedFailure[] = [];
  /** How many tests that passed have the name of a file. */
  #passedFiles = 0;
  #hasPlan = false;
  readonly #counts = { passed: 0, failed: 0, skipped: 0 };
  readonly #summary = new Map<string, number>();
  /** Whether node:test wrote it, whose summary goes on after the failures. */
  #isFromNode = false;
  #isSummaryWhole = false;
  readonly #levels: Level[] = [{ indent: 0, hasChildren: false }];
  readonly #names: { readonly indent: number; readonly name: string }[] = [];

  /** Reads the lines from `index` on; returns how many it took. */
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

  /** Whether a line begins another run: its version, or a plan or a point behind the summary of this one. */
  isOverAt(line: string): boolean {
    const hasBegun = this.#hasPlan || this.#hasPoints();
    return (hasBegun && /^TAP version 1[34]\s*$/.test(line)) || (this.#isSummaryWhole && /^(?:1\.\.\d|(?:not )?ok \d)/.test(line));
  }

  hasOnlyPlan(): boolean {
    return this.#hasPlan && !this.#hasPoints() && this.#summary.size === 0;
  }

  #hasPoints(): boolean {
    return this.#counts.passed + this.#counts.failed + this.#counts.skipped > 0;
  }

  report(isCut: boolean): ParsedReport {
    const summary = this.#saidCounts();
    const counts = summary ?? (isCut || !this.#hasPlan ? undefined : { ...this.#counts });
    return { format: 'tap', counts, failures: this.#failures, ...(this.#passedFiles > 0 && { passedFiles: this.#passedFiles }) };
  }

  /** The counts that the report itself says; those of node:test do not count suites. */
  #saidCounts(): TestCounts | undefined {
    if (!this.#isSummaryWhole) {
      return undefined;
    }
    const value = (name: string): number => this.#summary.get(name) ?? 0;
    const skipped = this.#summary.has('skipped') ? value('skipped') + value('todo') : this.#counts.skipped;
    return { passed: value('pass'), failed: value('fail') + value('cancelled'), skipped };
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
      this.#openName(indent, titleOf(subtest[2] ?? ''));
      return;
    }
    this.#hasPlan ||= /^1\.\.\d/.test(line);
    // Only behind how many passed: before, it is the title of a test, as tape writes it.
    const mayEnd = this.#summary.has('pass');
    this.#isSummaryWhole ||= mayEnd && (/^# (?:duration_ms \S+|ok)$/.test(line) || (/^# fail\s+\d+\s*$/.test(line) && !this.#isFromNode));
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
    this.#passedFiles += outcome === 'passed' && indent === 0 && isTestFile(titleOf(description)) ? 1 : 0;
    if (outcome === 'failed' && this.#failures.length < reportLimits.failures) {
      const name = [...this.#names.map((entry) => entry.name), titleOf(description)].join(' > ');
      const diagnostic = diagnosticOf();
      this.#failures.push(failure(name, diagnostic.message, placesOf(diagnostic)));
    }
  }

  /** Enters the level of a point; returns whether the point sums up points below it. */
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

  /**
   * Forgets the names of subtests that have ended. A subtest is announced at the indentation of the point that ends it
   * (node:test), or one deeper (TAP 14).
   */
  #dropNames(indent: number): void {
    while ((this.#names.at(-1)?.indent ?? -1) >= indent) {
      this.#names.pop();
    }
  }
}

/** Whether a point that sums up others failed by itself: node:test says so. */
function failsByItself({ failureType }: Diagnostic): boolean {
  return failureType !== undefined && failureType !== 'subtestsFailed';
}

function titleOf(description: string): string {
  // A point escapes the sign that a directive begins with, and the sign by which it does so.
  return description
    .replace(/\s*#\s*time=.*$/i, '')
    .trim()
    .replaceAll(/\\([\\#])/g, '$1');
}

function placesOf({ location, stack }: Diagnostic): Place[] {
  const [, file, line] = /^(.*?):(\d+)(?::\d+)?$/.exec(location) ?? [];
  return placesWithOwn(stack, file, line);
}

/**
 * What the YAML block below a test point says. Only the keys that test runners write are read, without a YAML library, which
 * would weigh more than this whole room.
 */
interface Diagnostic {
  readonly message: string;
  readonly location: string;
  readonly stack: string;
  readonly failureType: string | undefined;
}

/** The most lines that are read of what a test says below its result. */
const maxBlockLines = 5_000;

interface DiagnosticBlock {
  /** How many lines the block has; 0 if there is no block. */
  readonly taken: number;
  /** Reads the block, which nobody asks for with most points. */
  readonly read: () => Diagnostic;
}

/** Finds the block that begins at `start`, below a point with this indentation. */
function diagnosticAt(lines: readonly string[], start: number, indent: number): DiagnosticBlock {
  const opening = /^(\s+)---\s*$/.exec(lines[start] ?? '');
  if (opening?.[1] === undefined || opening[1].length <= indent) {
    return freeTextAt(lines, start, indent);
  }
  const space = opening[1];
  const limit = Math.min(lines.length, start + maxBlockLines);
  let end = start + 1;
  while (end < limit && lines[end]?.trimEnd() !== `${space}...`) {
    end += 1;
  }
  const read = (): Diagnostic => toDiagnostic(topLevelValues(dedent(lines.slice(start + 1, end)).split('\n')));
  return { taken: end - start + 1, read };
}

/** Finds text below a point that is no YAML: Mocha writes the error as it is. */
function freeTextAt(lines: readonly string[], start: number, indent: number): DiagnosticBlock {
  const limit = Math.min(lines.length, start + maxBlockLines);
  let end = start;
  while (end < limit && isTextBelow(lines[end] ?? '', indent)) {
    end += 1;
  }
  const read = (): Diagnostic => {
    const text = dedent(lines.slice(start, end));
    return { message: text, location: '', stack: text, failureType: undefined };
  };
  return { taken: end - start, read };
}

function isTextBelow(line: string, indent: number): boolean {
  const isDeeper = line.trim() === '' || line.length - line.trimStart().length > indent;
  return isDeeper && !/^\s*(?:(?:not )?ok\b|# Subtest|\d+\.\.\d+|\})/.test(line);
}

function toDiagnostic(values: ReadonlyMap<string, string>): Diagnostic {
  const get = (name: string): string => values.get(name) ?? '';
  const at = get('at');
  const file = /^\s*file(?:Name)?:\s*(.+)$/m.exec(at)?.[1];
  const line = /^\s*line(?:Number)?:\s*(\d+)$/m.exec(at)?.[1];
  const sides = ['expected', 'actual', 'wanted', 'found'].flatMap((name) => (values.has(name) ? [`${name}: ${get(name)}`] : []));
  const error = /^\s*message:\s*(.+)$/m.exec(get('error'))?.[1];
  const said = (error === undefined ? get('error') : unquote(error)) || get('message') || get('operator');
  const isPlace = /^\S.*:\d+(?::\d+)?$/.test(at);
  return {
    message: [said, ...(/expected|actual|!==|≠/i.test(said) ? [] : sides)].filter((part) => part !== '').join('\n'),
    location: get('location') || (file === undefined ? (isPlace ? at : '') : `${unquote(file)}:${line ?? 1}`),
    stack: [get('stack'), file === undefined && !isPlace ? at : ''].filter((part) => part !== '').join('\n'),
    failureType: values.get('failureType'),
  };
}

function topLevelValues(block: readonly string[]): Map<string, string> {
  const headingOf = (line: string): { readonly key: string; readonly inline: string } | undefined => {
    const [, key, inline = ''] = /^([A-Za-z_][\w-]*):(?:\s+(.*))?$/.exec(line) ?? [];
    return key === undefined ? undefined : { key, inline };
  };
  return new Map(
    blocksIn(block, headingOf, isIndentedOrEmpty).map(({ heading: { key, inline }, below }) => {
      const isBlock = inline === '' || /^[|>][+-]?\d?$/.test(inline);
      return [key, isBlock ? dedent(below).trimEnd() : unquote(inline)];
    }),
  );
}

function unquote(value: string): string {
  const text = value.trim();
  if (text.length >= 2 && text.startsWith("'") && text.endsWith("'")) {
    return text.slice(1, -1).replaceAll("''", "'");
  }
  if (text.length >= 2 && text.startsWith('"') && text.endsWith('"')) {
    try {
      return String(JSON.parse(text));
    } catch {
      return text.slice(1, -1);
    }
  }
  return text;
}
