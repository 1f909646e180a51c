import { errorMaker, type AppError, type ErrorTable } from './errors.ts';

/** For clients and the models behind them, in English: people do not read it. */
const pathErrorTable = {
  'editor.pathNotFound': ({ path }: { path: string }) => `There is no "${path}" in this workspace.`,
} as const satisfies ErrorTable;

const pathError = errorMaker(pathErrorTable);

/** The one answer for what is not there and for what is withheld. */
export function pathNotFound(path: string): AppError {
  return pathError('editor.pathNotFound', { path });
}
