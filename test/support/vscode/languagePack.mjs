import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Writes what VS Code keeps of an installed language pack, here one without a word: VS Code's own texts stay English, and every
 * extension is asked for the texts that it brings in this language.
 *
 * @param {string} serverDataFolder
 * @param {string} language
 */
export async function writeLanguagePack(serverDataFolder, language) {
  const folder = path.join(serverDataFolder, 'data');
  await mkdir(folder, { recursive: true });
  const vscode = path.join(folder, `words.${language}.json`);
  await writeFile(vscode, JSON.stringify({ contents: {} }));
  const extensions = [{ extensionIdentifier: { id: 'duplex-tests.wordless' }, version: '1.0.0' }];
  const pack = { hash: 'wordless', extensions, translations: { vscode }, label: language };
  await writeFile(path.join(folder, 'languagepacks.json'), JSON.stringify({ [language]: pack }));
}
