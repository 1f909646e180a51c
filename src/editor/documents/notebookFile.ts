import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { cellTexts, type CellText, type OutputItem } from './cellTexts.ts';

export const notebookFileName = /\.ipynb$/i;
export const notebookLanguage = 'jupyter-notebook';

/** A notebook that is not open, as it would be if it were. `undefined` for what is no notebook in spite of its name. */
export function readNotebookFile(json: string): { readonly shown: string; readonly sources: string } | undefined {
  const cells = cellsIn(json);
  return cells && { shown: cellTexts(cells, 'outputs'), sources: cellTexts(cells, 'sources') };
}

/** Longer ones come as the text of their file: to take them apart would hold everything up. */
const maxParsedLength = 5_000_000;

function cellsIn(json: string): CellText[] | undefined {
  if (json.length > maxParsedLength) {
    return undefined;
  }
  try {
    const notebook: unknown = JSON.parse(json);
    if (!isJsonObject(notebook) || !Array.isArray(notebook.cells)) {
      return undefined;
    }
    const language = languageOf(objectOf(notebook.metadata));
    return notebook.cells.filter(isJsonObject).map((cell) => toCell(cell, language));
  } catch {
    return undefined;
  }
}

function toCell(cell: JsonObject, language: string): CellText {
  const own = objectOf(objectOf(cell.metadata).vscode).languageId;
  const codeLanguage = cell.cell_type === 'raw' ? 'raw' : typeof own === 'string' ? own : language;
  const isMarkdown = cell.cell_type === 'markdown';
  return {
    kind: isMarkdown ? 'markdown' : 'code',
    languageId: isMarkdown ? 'markdown' : codeLanguage,
    source: textOf(cell.source).replace(/\r\n?/g, '\n'),
    outputs: (Array.isArray(cell.outputs) ? cell.outputs : []).filter(isJsonObject).map(toItems),
  };
}

/** As VS Code takes it for the cells. */
function languageOf({ language_info: info, kernelspec }: JsonObject): string {
  const { name } = objectOf(info);
  const { language } = objectOf(kernelspec);
  const known = typeof name === 'string' ? name : typeof language === 'string' ? language : 'python';
  return known.toLowerCase();
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

/** Notebooks have texts as one string or as a list of lines. */
function textOf(value: JsonValue | undefined): string {
  if (Array.isArray(value)) {
    return value.filter((line) => typeof line === 'string').join('');
  }
  return typeof value === 'string' ? value : '';
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
