import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { inexactJson } from '../../base/jsonText.ts';
import { isJsonObject } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import { Icon } from '../shared/elements.tsx';
import { formatNumber, plural } from '../shared/formats.ts';
import { t } from '../shared/localize.ts';

/** The most rows of a table that are shown before the person asks for the whole. */
const maxRows = 50;
/** The most members of a branch that are shown before the person asks for the whole. */
const maxMembers = 50;
/** How many levels of branches are shown as a tree; what lies deeper is shown as JSON. */
const maxDepth = 12;
/** A branch with at most so many members is open at first, so that a small result is seen whole. */
const maxOpenMembers = 6;

export interface StructuredResultProps {
  readonly json: string;
  /** The JSON as text, for what is neither a table nor a tree, and for whoever asks for it. */
  readonly text: JSX.Element;
}

/** Shows a structured result as a table where it is one, else as a tree; the JSON itself is one click away. */
export function StructuredResult({ json, text }: StructuredResultProps): JSX.Element {
  const [isText, setText] = useState(false);
  const read = useMemo(() => parsedResult(json), [json]);
  if (read === undefined || typeof read.value !== 'object' || read.value === null) {
    return text;
  }
  const table = tableOf(read.value);
  return (
    <div class="structured">
      {isText ? text : table === undefined ? <Tree value={read.value} depth={0} /> : <Table table={table} />}
      <button type="button" class="tool-button" aria-pressed={isText} data-grows onClick={() => setText(!isText)}>
        <Icon name="json" />
        {t('As JSON')}
      </button>
    </div>
  );
}

function Table({ table: { name, columns, rows } }: { readonly table: ResultTable }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? rows : rows.slice(0, maxRows);
  const label = name === undefined ? t('Structured result') : revealInvisible(name);
  return (
    <>
      <div class="table-frame" tabIndex={0} role="group" aria-label={label}>
        <table>
          <thead>
            <tr>
              {columns.map((column, index) => (
                <th key={column} scope="col" class={isNumeric(rows, index) ? 'align-right' : ''}>
                  {revealInvisible(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              <tr key={index}>
                {row.map((cell, column) => (
                  <td key={column} dir="auto" class={typeof cell === 'number' ? 'align-right' : ''}>
                    {cell === undefined ? '' : <Value value={cell} />}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < rows.length && (
        <button type="button" class="button is-quiet" data-grows onClick={() => setWhole(true)}>
          {t('Show all {0} rows', formatNumber(rows.length))}
        </button>
      )}
    </>
  );
}

/** Whether a column has numbers only: its head is aligned like its values. */
function isNumeric(rows: ResultTable['rows'], column: number): boolean {
  return rows.every((row) => row[column] === undefined || typeof row[column] === 'number');
}

export function Tree({ value, depth }: { readonly value: object; readonly depth: number }): JSX.Element {
  const members: readonly (readonly [string, unknown])[] = Object.entries(value);
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? members : members.slice(0, maxMembers);
  return (
    <ul class="tree">
      {shown.map(([name, member]) => (
        <Member key={name} name={name} value={member} depth={depth} />
      ))}
      {shown.length < members.length && (
        <li>
          <button type="button" class="button is-quiet" data-grows onClick={() => setWhole(true)}>
            {t('Show all {0} entries', formatNumber(members.length))}
          </button>
        </li>
      )}
    </ul>
  );
}

interface MemberProps {
  readonly name: string;
  readonly value: unknown;
  readonly depth: number;
}

function Member({ name, value, depth }: MemberProps): JSX.Element {
  const isBranch = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  const [isOpen, setOpen] = useState(isBranch && depth === 0 && Object.keys(value).length <= maxOpenMembers);
  if (!isBranch) {
    return (
      <li class="tree-leaf">
        <span class="tree-name">{revealInvisible(name)}</span>
        <span class="tree-value" dir="auto">
          <Value value={value} />
        </span>
      </li>
    );
  }
  return (
    <li>
      <button type="button" class="tree-branch" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        <span class="tree-name">{revealInvisible(name)}</span>
        <span class="secondary">{insideOf(value)}</span>
      </button>
      {isOpen && (depth < maxDepth ? <Tree value={value} depth={depth + 1} /> : <Value value={JSON.stringify(value)} />)}
    </li>
  );
}

function Value({ value }: { readonly value: unknown }): JSX.Element {
  if (typeof value === 'string') {
    return <>{revealInvisible(value)}</>;
  }
  return <span class={`code-${typeof value === 'number' ? 'number' : 'literal'}`}>{JSON.stringify(value)}</span>;
}

function insideOf(value: object): string {
  const count = Object.keys(value).length;
  return Array.isArray(value)
    ? plural(
        count,
        () => t('1 entry'),
        (many) => t('{0} entries', many),
      )
    : plural(
        count,
        () => t('1 member'),
        (many) => t('{0} members', many),
      );
}

interface ResultTable {
  /** The member that held the rows, when the result was an object around them. */
  readonly name: string | undefined;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Scalar[])[];
}
type Scalar = string | number | boolean | null | undefined;

/** The most columns of a table; a result that would have more is no table. */
const maxColumns = 8;
/** The most characters of a result that is parsed to be shown as a table or a tree. */
const maxShapedLength = 400_000;

/** Parses the result where nothing is lost by that: not when a number would be rounded or a name stands twice. */
export function parsedResult(json: string): { readonly value: unknown } | undefined {
  if (json.length > maxShapedLength || inexactJson(json) !== undefined) {
    return undefined;
  }
  try {
    return { value: JSON.parse(json) as unknown };
  } catch {
    return undefined;
  }
}

/** Reads a result as a table: a list of flat objects is one, and so is an object with nothing in it but such a list. */
export function tableOf(value: unknown): ResultTable | undefined {
  if (isJsonObject(value)) {
    const [[name, inside] = ['', undefined], ...others] = Object.entries(value);
    const table = others.length === 0 && Array.isArray(inside) ? tableOf(inside) : undefined;
    return table === undefined ? undefined : { ...table, name };
  }
  if (!Array.isArray(value) || value.length === 0 || !value.every(isFlat)) {
    return undefined;
  }
  const columns = [...new Set(value.flatMap((row) => Object.keys(row)))];
  if (columns.length === 0 || columns.length > maxColumns) {
    return undefined;
  }
  return {
    name: undefined,
    columns,
    rows: value.map((row) => columns.map((column) => (Object.hasOwn(row, column) ? row[column] : undefined))),
  };
}

function isFlat(value: unknown): value is Readonly<Record<string, Scalar>> {
  return isJsonObject(value) && Object.values(value).every((member) => typeof member !== 'object' || member === null);
}
