import { boundText } from '../../base/boundedText.ts';
import { isJsonObject, type JsonObject, type JsonValue, parsedObject } from '../../base/json.ts';
import { parseInSlices } from '../../base/slicedJson.ts';
import { toPlainText } from '../../base/terminalText.ts';

export const notebookFileName = /\.ipynb$/i;
export const notebookLanguage = 'jupyter-notebook';

/**
 * Reads a notebook that is not open, as it would be if it were. The result is `undefined` for a file that is no notebook in spite
 * of its name.
 */
export function readNotebookFile(json: string): { readonly shown: string; readonly sources: string } | undefined {
  const cells = cellsIn(json);
  return cells && { shown: cellTexts(cells, 'outputs'), sources: cellTexts(cells, 'sources') };
}

/** The sources of all cells, however large their outputs are; `undefined` for a file that is no notebook. */
export async function sourcesIn(json: string): Promise<readonly string[] | undefined> {
  const notebook = isBlank(json) ? {} : await parseInSlices(json).catch(() => undefined);
  return isJsonObject(notebook) ? cellsOf(notebook)?.map(({ source }) => plainSource(source)) : undefined;
}

/** An empty file is a new notebook. */
function isBlank(json: string): boolean {
  return !/\S/.test(json);
}

/**
 * The cells that VS Code knows, which may be none. The result is `undefined` for what is no notebook, and for what VS Code does not
 * take as it stands: it refuses formats before 4, and reads another file in place of one that names its backup.
 */
function cellsOf({ cells, nbformat: format, __webview_backup: backup }: JsonObject): readonly JsonObject[] | undefined {
  const all = cells ?? [];
  const isTooOld = typeof format === 'number' && format !== 0 && format < 4;
  if (!Array.isArray(all) || isTooOld || Boolean(backup)) {
    return undefined;
  }
  return all.filter(isJsonObject).filter(({ cell_type: type }) => type === 'code' || type === 'markdown' || type === 'raw');
}

/** A longer notebook comes as the text of its file: to take it apart would hold everything up. */
const maxParsedLength = 5_000_000;

function cellsIn(json: string): CellText[] | undefined {
  if (json.length > maxParsedLength) {
    return undefined;
  }
  const notebook = isBlank(json) ? {} : parsedObject(json);
  const language = languageOf(objectOf(notebook?.metadata));
  return notebook && cellsOf(notebook)?.map((cell) => toCell(cell, language));
}

function toCell(cell: JsonObject, language: string): CellText {
  const own = objectOf(objectOf(cell.metadata).vscode).languageId;
  const codeLanguage = cell.cell_type === 'raw' ? 'raw' : typeof own === 'string' ? own : language;
  const isMarkdown = cell.cell_type === 'markdown';
  return {
    kind: isMarkdown ? 'markdown' : 'code',
    languageId: isMarkdown ? 'markdown' : codeLanguage,
    source: plainSource(cell.source),
    outputs: (Array.isArray(cell.outputs) ? cell.outputs : []).filter(isJsonObject).map(toItems),
  };
}

/** The language of the notebook's cells, as VS Code takes it. */
function languageOf({ language_info: info, kernelspec }: JsonObject): string {
  const { name } = objectOf(info);
  const { language } = objectOf(kernelspec);
  const said = [name, language].find((each) => typeof each === 'string' && each !== '');
  const known = typeof said === 'string' ? said.toLowerCase() : 'python';
  return /^\w#$/.test(known) ? `${known.charAt(0)}sharp` : /^c\+\+1[124]$/.test(known) ? 'c++' : known;
}

function toItems(output: JsonObject): OutputItem[] {
  if (output.output_type === 'stream') {
    return [itemOf(`application/vnd.code.notebook.${output.name === 'stderr' ? 'stderr' : 'stdout'}`, textOf(output.text))];
  }
  if (output.output_type === 'error') {
    const { ename: name = '', evalue: message = '', traceback } = output;
    const stack = Array.isArray(traceback) ? traceback.filter((line) => typeof line === 'string').join('\n') : '';
    return [itemOf('application/vnd.code.notebook.error', JSON.stringify({ name, message, stack }))];
  }
  return Object.entries(objectOf(output.data)).map(([mime, data]) => toDataItem(mime, data ?? ''));
}

function toDataItem(mime: string, data: JsonValue): OutputItem {
  const text = isJsonObject(data) ? JSON.stringify(data) : textOf(data);
  const isEncoded = mime.startsWith('image/') && mime !== 'image/svg+xml';
  return isEncoded ? { ...itemOf(mime, text), size: Math.floor((text.replace(/[\s=]/g, '').length * 3) / 4) } : itemOf(mime, text);
}

function itemOf(mime: string, text: string): OutputItem {
  return { mime, size: text.length, readText: () => text };
}

function plainSource(source: JsonValue | undefined): string {
  return textOf(source).replace(/\r\n?/g, '\n');
}

/** A text of a notebook, which is one string or a list of lines. Lines that do not say where they end do so all the same. */
function textOf(value: JsonValue | undefined): string {
  if (Array.isArray(value)) {
    const lines = value.filter((line) => typeof line === 'string');
    return lines.map((line, index) => (index === lines.length - 1 || line.endsWith('\n') ? line : `${line}\n`)).join('');
  }
  return typeof value === 'string' ? value : '';
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** A cell of a notebook, open or from its file. */
export interface CellText {
  readonly kind: 'markdown' | 'code';
  readonly languageId: string;
  readonly source: string;
  /** The outputs, each in all the forms there are of it. */
  readonly outputs: readonly (readonly OutputItem[])[];
}

export interface OutputItem {
  readonly mime: string;
  /** The size in bytes. */
  readonly size: number;
  readText(): string;
}

/** The most characters of one output that are shown of its beginning: some cells print megabytes. */
const maxOutputHead = 4_000;
/** The most characters of one output that are shown of its end. */
const maxOutputTail = 4_000;
/** The most characters, escape sequences included, that are looked at for each of these two. */
const maxRawHalf = 20_000;
/** The most bytes that are read of all outputs together; the rest are only named. */
const maxReadBytes = 1_000_000;
/** A larger output is only named: to decode it costs its whole length. */
const maxItemBytes = 500_000;

/** The cells as one text, each behind a marker line with its index from 0, kind and language. Outputs follow the source. */
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

/** The text of an output in the form that a model reads best; images are only named. */
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

/** The text of an error output; the stack repeats name and message, where there is one. */
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
