import { boundText } from '../../base/boundedText.ts';
import { isJsonObject } from '../../base/json.ts';
import { toPlainText } from '../../base/terminalText.ts';

/** A cell of a notebook, open or from its file. */
export interface CellText {
  readonly kind: 'markdown' | 'code';
  readonly languageId: string;
  readonly source: string;
  /** Each in all the forms there are of it. */
  readonly outputs: readonly (readonly OutputItem[])[];
}

export interface OutputItem {
  readonly mime: string;
  /** In bytes. */
  readonly size: number;
  readText(): string;
}

/** Of one output, at its beginning and at its end: some cells print megabytes. */
const maxOutputHead = 4_000;
const maxOutputTail = 4_000;
/** Of what is looked at for that, escape sequences and all. */
const maxRawHalf = 20_000;
/** Of all outputs together, in bytes: the rest are only named. */
const maxReadBytes = 1_000_000;
/** One alone: to decode it costs its whole length. */
const maxItemBytes = 500_000;

/** Cells as one text, each behind a marker line with its index from 0, kind and language; outputs follow the source. */
export function cellTexts(cells: readonly CellText[], show: 'sources' | 'outputs'): string {
  let left = maxReadBytes;
  const read = (item: OutputItem): string => {
    left -= Math.min(item.size, maxItemBytes);
    return item.size > maxItemBytes || left < 0 ? nameOf(item) : itemText(item);
  };
  return cells
    .map(({ kind, languageId, source, outputs }, index) => {
      const shown = show === 'sources' ? [] : outputs.map((items) => outputText(items, read)).filter((text) => text !== '');
      const results = shown.map((text) => `# %% [output] cell ${index}\n${text}\n`);
      return [`# %% [${kind}] cell ${index} ${languageId}\n${source}\n`, ...results].join('');
    })
    .join('\n');
}

const errorMime = 'application/vnd.code.notebook.error';
const streamMime = /^application\/vnd\.code\.notebook\.std(?:out|err)$/;
const textMimes: readonly string[] = ['text/plain', 'text/markdown', 'application/json', 'text/html', 'text/latex', 'image/svg+xml'];

/** The form that a model reads best; others are only named. */
function outputText(items: readonly OutputItem[], read: (item: OutputItem) => string): string {
  const failed = items.find(({ mime }) => mime === errorMime);
  const streams = items.filter(({ mime }) => streamMime.test(mime));
  const best = textMimes.flatMap((mime) => items.find((item) => item.mime === mime) ?? []).slice(0, 1);
  const shown = failed !== undefined ? [failed] : streams.length > 0 ? streams : best;
  const images = items.filter((item) => item.mime.startsWith('image/') && !shown.includes(item));
  const named = shown.length === 0 && images.length === 0 ? items.slice(0, 1) : images;
  return [...shown.map(read), ...named.map(nameOf)].filter((text) => text !== '').join('\n');
}

function itemText(item: OutputItem): string {
  const raw = item.mime === errorMime ? errorText(item.readText()) : item.readText();
  const text = toPlainText(boundText(raw, maxRawHalf, maxRawHalf, leftOutMark));
  return boundText(text.replace(/\n$/, ''), maxOutputHead, maxOutputTail, leftOutMark);
}

function leftOutMark(count: number): string {
  return `[… ${count} characters left out …]\n`;
}

function nameOf({ mime, size }: OutputItem): string {
  return `[${mime}, ${size} bytes]`;
}

/** The stack has name and message in it, where there is one. */
function errorText(json: string): string {
  try {
    const error: unknown = JSON.parse(json);
    if (!isJsonObject(error)) {
      return json;
    }
    const { name, message, stack } = error;
    const text = [name, message].flatMap((part) => (typeof part === 'string' && part !== '' ? [part] : [])).join(': ');
    return typeof stack === 'string' && stack.trim() !== '' ? `${text}\n${stack}` : text;
  } catch {
    return json;
  }
}
