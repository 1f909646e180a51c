import * as path from 'node:path';
import * as vscode from 'vscode';
import { untilAborted } from '../../base/abort.ts';
import { checkedDocument } from '../documents/checkedDocument.ts';
import { toClientPath } from '../shared/clientPlaces.ts';
import { isStillThere } from '../shared/openDocuments.ts';
import { walkFolder } from '../workspace/search/folderWalk.ts';
import { searchRoots } from '../workspace/searchRoots.ts';
import type { LanguageService } from './languageService.ts';

/** The most projects of which a file is opened. */
const maxProjects = 10;
/** The most files of a project among which one is chosen. */
const maxCandidates = 30;
/** The most files of a folder that are looked through where VS Code's own search does not work. */
const maxWalked = 5_000;
/** How long, in ms, a project counts as open: VS Code closes what nobody shows after some minutes. */
const awakeMs = 120_000;

const scripts = '{ts,tsx,mts,cts,js,jsx,mjs,cjs}';
const others = '{py,go,rs,java,kt,cs,c,cc,cpp,h,hpp,php,rb,swift}';
const scriptFile = /\.[cm]?[jt]sx?$/i;
const otherFile = /\.(?:py|go|rs|java|kt|cs|c|cc|cpp|h|hpp|php|rb|swift)$/i;
const configFile = /(?:^|\/)[jt]sconfig\.json$/;
const sourceFile = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|cs|c|cc|cpp|h|hpp|php|rb|swift)$/i;

const wokenUntil = new WeakMap<LanguageService, number>();

/**
 * Opens a file of each project of the workspace of which none is open, without showing it, and waits for its service to start:
 * services know only projects of files that they have seen. The result says whether it was looked for such projects: that is
 * done now and then, or when the caller insists.
 */
export async function wakeServices(service: LanguageService, signal: AbortSignal, insists: boolean): Promise<boolean> {
  if (!insists && (wokenUntil.get(service) ?? 0) > performance.now()) {
    return false;
  }
  const uris = await filesToOpen(signal);
  // VS Code may have another text under such a name: services are asked nothing before it has the one of the file.
  const opened = await Promise.all(uris.map((uri) => checkedDocument(uri, { path: toClientPath(uri), signal }).catch(() => undefined)));
  signal.throwIfAborted();
  const documents = opened.filter((document) => document !== undefined);
  const first = documents.filter(({ languageId }, index) => documents.findIndex((other) => other.languageId === languageId) === index);
  await Promise.all(first.map((document) => untilUp(service, document, signal)));
  wokenUntil.set(service, performance.now() + awakeMs);
  return true;
}

/** Waits until a service answers for the document, which it does when it has started. */
async function untilUp(service: LanguageService, document: vscode.TextDocument, signal: AbortSignal): Promise<void> {
  const ask = async (): Promise<readonly unknown[]> =>
    (await service.ask<readonly unknown[]>('vscode.executeDocumentSymbolProvider', [document.uri], signal)) ?? [];
  // A file that goes meanwhile wakes nobody, and is no failure of who asked for something else.
  await service.askPatiently(document, ask, (answer) => answer.length === 0, signal).catch(() => signal.throwIfAborted());
}

/** One file of each project, and of each language that has no projects. One that is open already is taken first. */
async function filesToOpen(signal: AbortSignal): Promise<readonly vscode.Uri[]> {
  const open = vscode.workspace.textDocuments
    .map(({ uri }) => uri)
    .filter((uri) => sourceFile.test(uri.path) && vscode.workspace.getWorkspaceFolder(uri) !== undefined && isStillThere(uri));
  const find = await finder(signal);
  const configs = await find('**/{tsconfig,jsconfig}.json', configFile, maxProjects);
  const folders = new Map(configs.map((uri) => [path.posix.dirname(uri.path), uri.with({ path: path.posix.dirname(uri.path) })]));
  const ofProjects = [...folders].map(async ([folder, uri]) => {
    const isOfProject = (file: vscode.Uri): boolean => scriptFile.test(file.path) && projectOf(file.path, [...folders.keys()]) === folder;
    const known = open.find(isOfProject);
    return known ?? best((await find(new vscode.RelativePattern(uri, `**/*.${scripts}`), scriptFile, maxCandidates)).filter(isOfProject));
  });
  const ofNone = folders.size > 0 ? undefined : open.find((uri) => scriptFile.test(uri.path));
  const alone = folders.size > 0 ? undefined : (ofNone ?? best(await find(`**/*.${scripts}`, scriptFile, maxCandidates)));
  const ofOthers = [...(await find(`**/*.${others}`, otherFile, maxCandidates)), ...open.filter(({ path: name }) => otherFile.test(name))];
  return [...(await Promise.all(ofProjects)), alone, ...oneOfEach(ofOthers)].filter((uri) => uri !== undefined);
}

function oneOfEach(uris: readonly vscode.Uri[]): vscode.Uri[] {
  const endings = new Map(uris.map((uri) => [path.posix.extname(uri.path).toLowerCase(), uri]));
  return [...endings.values()];
}

/** The folder of the nearest configuration above a file. */
function projectOf(file: string, folders: readonly string[]): string | undefined {
  const above = folders.filter((folder) => file.startsWith(folder.endsWith('/') ? folder : `${folder}/`));
  return above.sort((a, b) => b.length - a.length)[0];
}

/** The file that most likely belongs to the project: its sources are TypeScript, in `src`, and do not configure tools. */
function best(uris: readonly vscode.Uri[]): vscode.Uri | undefined {
  const rank = ({ path: name }: vscode.Uri): number =>
    (/\.[cm]?tsx?$/i.test(name) ? 0 : 4) + (name.includes('/src/') ? 0 : 2) + (/\.(?:d|config)\.[cm]?[jt]s$/i.test(name) ? 8 : 0);
  return [...uris].sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1))[0];
}

type Find = (glob: vscode.GlobPattern, name: RegExp, most: number) => Promise<readonly vscode.Uri[]>;

/** VS Code's own search; where it finds nothing at all, a walk through the folders: it needs a ripgrep that some builds lack. */
async function finder(signal: AbortSignal): Promise<Find> {
  const find = async (glob: vscode.GlobPattern, most: number): Promise<readonly vscode.Uri[]> => {
    const found = await untilAborted(vscode.workspace.findFiles(glob, '**/node_modules/**', most), signal).catch(() => []);
    signal.throwIfAborted();
    return found;
  };
  if ((await find('**/*', 1)).length > 0) {
    return (glob, _name, most) => find(glob, most);
  }
  const all = await walked(signal);
  const isBelow = (uri: vscode.Uri, glob: vscode.GlobPattern): boolean =>
    typeof glob === 'string' || uri.path.startsWith(`${glob.baseUri.path}/`);
  return (glob, name, most) => Promise.resolve(all.filter((uri) => name.test(uri.path) && isBelow(uri, glob)).slice(0, most));
}

async function walked(signal: AbortSignal): Promise<readonly vscode.Uri[]> {
  const found: vscode.Uri[] = [];
  for (const [index, root] of searchRoots().entries()) {
    const folder = vscode.workspace.workspaceFolders?.[index];
    const files = folder === undefined ? [] : await walkFolder(root, false, signal);
    const wanted = files.filter((name) => (sourceFile.test(name) || configFile.test(name)) && !/(?:^|\/)node_modules\//.test(name));
    found.push(...wanted.slice(0, maxWalked).map((name) => vscode.Uri.joinPath(folder?.uri ?? vscode.Uri.file('/'), name)));
  }
  return found;
}
