import { stat } from 'node:fs/promises';
import * as path from 'node:path';
import type { LanguageCoverage } from '../../server/seen/ports/languagePort.ts';
import { fromClientPath } from '../shared/clientUris.ts';
import { findTextDocument } from '../shared/openDocuments.ts';
import type { LanguageService } from './languageService.ts';
import { isTypescript } from './typescriptService.ts';

/** Of a file that was asked about just now, so that it is open. */
export async function coverageOf(service: LanguageService, clientPath: string): Promise<LanguageCoverage> {
  const document = findTextDocument(fromClientPath(clientPath).toString());
  if (document === undefined || !service.hasAnswered(document.languageId)) {
    return 'none';
  }
  const isAlone = isTypescript(document) && document.uri.scheme === 'file' && !(await hasProject(path.dirname(document.uri.fsPath)));
  return isAlone ? 'alone' : 'project';
}

/** The TypeScript service looks for the project of a file in the folders above it, up to the root. */
async function hasProject(folder: string): Promise<boolean> {
  const candidates = ['tsconfig.json', 'jsconfig.json'].map((name) => path.join(folder, name));
  const found = await Promise.all(
    candidates.map((file) =>
      stat(file).then(
        (entry) => entry.isFile(),
        () => false,
      ),
    ),
  );
  const above = path.dirname(folder);
  return found.includes(true) || (above !== folder && hasProject(above));
}
