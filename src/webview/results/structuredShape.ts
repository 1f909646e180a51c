import { inexactJson } from '../../base/exactJson.ts';
import { isJsonObject } from '../../base/json.ts';

export interface ResultTable {
  /** The member that held the rows, when the result was an object around them. */
  readonly name: string | undefined;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Scalar[])[];
}
type Scalar = string | number | boolean | null | undefined;

const maxColumns = 8;
const maxShapedLength = 400_000;

/** What the result says, when nothing is lost by reading it: a number that would be rounded, or a name that stands twice, is not. */
export function readResult(json: string): { readonly value: unknown } | undefined {
  if (json.length > maxShapedLength || inexactJson(json) !== undefined) {
    return undefined;
  }
  try {
    return { value: JSON.parse(json) as unknown };
  } catch {
    return undefined;
  }
}

/** A list of equal, flat things is a table; so is an object with nothing in it but such a list. */
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
