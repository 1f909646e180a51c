import { platformError } from '../platformErrors.ts';

/** An argument, and what people may see of it: without the values of variables and inputs. */
export interface ShownArgument {
  readonly value: string;
  readonly shown: string;
}

/** The most characters of a line; cmd.exe takes no longer one. */
const maxLine = 8_000;

/** What means something to cmd.exe even between quotation marks, once or when the batch file hands it on; and control characters. */
const meansSomething = /[%!"&|<>^\u0000-\u0008\u000A-\u001F\u007F]/;
/** What can mean nothing even to a batch file that is careless with its arguments. */
const plainWord = /^[\w@+:./\\-]+$/;

/**
 * The arguments with which cmd.exe runs a batch file: to be handed over as they are, because cmd.exe reads its line by rules of its
 * own. A batch file reads what it hands on a second time, so nothing that means something to cmd.exe can be escaped for good:
 * such arguments are refused (CVE-2024-27980).
 */
export function batchArguments(
  file: string,
  args: readonly ShownArgument[],
): { readonly values: readonly string[]; readonly shown: string } {
  const isBadPath = /[%!"\r\n]/.test(file);
  if (isBadPath) {
    throw platformError('definitions.batchPath', { file });
  }
  const refused = args.find(({ value, shown }) => isRefusedByBatch(value) || isRefusedByBatch(shown));
  if (refused !== undefined) {
    throw platformError('definitions.batchArgument', { argument: refused.shown, file });
  }
  const line = lineOf(
    file,
    args.map(({ value }) => value),
  );
  if (line.length > maxLine) {
    throw platformError('definitions.batchTooLong', { file });
  }
  const shown = lineOf(
    file,
    args.map((each) => each.shown),
  );
  return { values: ['/d', '/s', '/c', line], shown };
}

/** Whether an argument cannot be given to a batch file. Wide forms of those characters count too: a program that is not made for Unicode gets the narrow ones instead. */
export function isRefusedByBatch(text: string): boolean {
  return meansSomething.test(text) || meansSomething.test(text.normalize('NFKC'));
}

/** With `/s`, cmd.exe takes away the outermost quotation marks and nothing else. */
function lineOf(file: string, args: readonly string[]): string {
  return `"${[`"${file}"`, ...args.map(quoted)].join(' ')}"`;
}

/** Puts an argument into quotation marks as Microsoft's C runtime reads them: backslashes before the last mark are doubled. */
function quoted(text: string): string {
  return plainWord.test(text) ? text : `"${text.replace(/\\+$/, '$&$&')}"`;
}
