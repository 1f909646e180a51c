import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { format, type FormatConfig } from 'oxfmt';

const configuration = path.resolve(import.meta.dirname, '../../.oxfmtrc.json');

/** A text in the form that the check of formats wants in this file. */
export async function formatted(file: string, text: string): Promise<string> {
  const options = JSON.parse(readFileSync(configuration, 'utf8')) as FormatConfig;
  const { code, errors } = await format(file, text, options);
  if (errors.length > 0) {
    throw new Error(`${file} cannot be formatted: ${errors.map(({ message }) => message).join(' ')}`);
  }
  return code;
}
