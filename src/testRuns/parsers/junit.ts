import sax from 'sax';
import { placesWithOwn } from './places.ts';
import { failure, nameInside, reportLimits, upToWord, type ParsedFailure, type ParsedReport, type ReportText } from './report.ts';

/** The most characters that are read of a message and of what a test printed, before it is shortened. */
const maxTextLength = 20_000;
/** The most XML elements of one report; a report with more is not read. */
const maxElements = 500_000;

interface Case {
  readonly name: string;
  readonly file: string | undefined;
  readonly line: string | undefined;
  outcome: 'passed' | 'failed' | 'skipped';
  message: string;
  text: string;
}

/**
 * Parses JUnit's XML as its many writers write it. The XML library knows only entities that stand for one character and never
 * follows a document type, so there is nothing to expand and nothing to fetch.
 */
export function parseJunit({ text, isCut }: ReportText): ParsedReport | undefined {
  if (isCut || !/<testsuites?[\s>/]/.test(text.slice(0, 100_000))) {
    return undefined;
  }
  const reader = new JunitReader();
  reader.read(text);
  return reader.report();
}

class JunitReader {
  readonly #failures: ParsedFailure[] = [];
  readonly #counts = { passed: 0, failed: 0, skipped: 0 };
  #depth = 0;
  #elements = 0;
  #case: Case | undefined;
  #inFailure = false;
  #isSuite = false;
  /** The open suites, each with the names of those around it. */
  readonly #suites: string[] = [];
  #isWhole = true;

  read(text: string): void {
    const parser = sax.parser(true, { position: false });
    parser.onopentag = ({ name, attributes }) => this.#open(name, attributes as Record<string, string>);
    parser.onclosetag = (name) => this.#close(name);
    parser.ontext = (part) => this.#text(part);
    parser.oncdata = (part) => this.#text(part);
    // Half a report is still worth reading; its counts are not worth believing.
    parser.onerror = (error) => {
      this.#isWhole = false;
      throw error;
    };
    try {
      parser.write(text.slice(Math.max(0, text.indexOf('<')))).close();
    } catch {
      this.#isWhole = false;
      this.#endCase();
    }
  }

  report(): ParsedReport | undefined {
    return this.#isSuite
      ? { format: 'junit', counts: this.#isWhole ? { ...this.#counts } : undefined, failures: this.#failures }
      : undefined;
  }

  #open(name: string, attributes: Record<string, string>): void {
    this.#depth += 1;
    this.#elements += 1;
    if (this.#depth > reportLimits.nesting || this.#elements > maxElements) {
      throw new Error('This report is nested too deeply or too long.');
    }
    this.#isSuite ||= name === 'testsuite' || name === 'testsuites';
    if (name === 'testsuite') {
      this.#suites.push(nameInside(this.#suites.at(-1), attributes['name'] ?? ''));
    } else if (name === 'testcase') {
      this.#endCase();
      this.#case = startCase(attributes, this.#suites.at(-1) ?? '');
    } else if (this.#case !== undefined && (name === 'failure' || name === 'error')) {
      this.#case.outcome = 'failed';
      this.#case.message ||= upToWord(attributes['message'] ?? '', maxTextLength);
      this.#inFailure = true;
    } else if (this.#case?.outcome === 'passed' && name === 'skipped') {
      this.#case.outcome = 'skipped';
    }
  }

  #close(name: string): void {
    this.#depth -= 1;
    if (name === 'testsuite') {
      this.#suites.pop();
    } else if (name === 'testcase') {
      this.#endCase();
    } else if (name === 'failure' || name === 'error') {
      this.#inFailure = false;
    }
  }

  #text(part: string): void {
    if (this.#inFailure && this.#case !== undefined && this.#case.text.length < maxTextLength) {
      this.#case.text += upToWord(part, maxTextLength);
    }
  }

  #endCase(): void {
    const ended = this.#case;
    this.#case = undefined;
    this.#inFailure = false;
    if (ended === undefined) {
      return;
    }
    this.#counts[ended.outcome] += 1;
    if (ended.outcome === 'failed' && this.#failures.length < reportLimits.failures) {
      const { name, message, text, file, line } = ended;
      const whole = message === '' || text.includes(message) ? text : `${message}\n${text}`;
      this.#failures.push(failure(name, whole, placesWithOwn(text, file, line)));
    }
  }
}

function startCase({ name = '', classname = '', file, line }: Record<string, string>, suite: string): Case {
  // node:test calls every class "test" and nests its suites instead.
  const owner = classname === '' || classname === 'test' ? suite : classname;
  return {
    name: owner === '' || name.startsWith(owner) ? name : `${owner} > ${name}`,
    file,
    line,
    outcome: 'passed',
    message: '',
    text: '',
  };
}
