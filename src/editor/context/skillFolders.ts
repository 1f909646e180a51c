import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { atMost } from '../../base/abort.ts';
import type { Log } from '../../base/log.ts';
import type { SkillFile } from '../../chat/content/skills.ts';
import type { SkillFolder, SkillFolders } from '../../chat/content/workspaceSkills.ts';
import { readSkillFiles } from '../../platform/files/skillFiles.ts';
import { toClientPath } from '../shared/clientPlaces.ts';

/** The most folders of the workspace in which skills are looked for. */
const maxFolders = 10;
/** The most skills of all folders together. */
const maxSkills = 30;
/** The most files of all skills together; a skill that no longer fits is left out. */
const maxFiles = 200;
/** How long, in ms, reading the skills may take; if it takes longer, there are none. */
const maxWaitMs = 5_000;

/** The skills in the folders of this workspace. */
export function createSkillFolders(isShown: (path: string) => boolean, log: Log): SkillFolders {
  const ofFolder = async ({ uri }: vscode.WorkspaceFolder): Promise<readonly SkillFolder[]> => {
    const clientPath = (path: string): string => toClientPath(vscode.Uri.joinPath(uri, path));
    const skills = await readSkillFiles({
      root: uri.fsPath,
      isShown: (path) => isShown(clientPath(path)),
      onLeftOut: (path, reason) => log.warn(`The skill in ${clientPath(path)} is not offered: ${reason}.`),
    });
    return skills.map(({ path, name, files }) => ({
      path: clientPath(path),
      uri: vscode.Uri.joinPath(uri, path).toString(),
      name,
      files: files.map((file) => toSkillFile(file.path, file.bytes)),
    }));
  };
  return {
    isTrusted: () => vscode.workspace.isTrusted,
    read: async () => {
      const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').slice(0, maxFolders);
      const skills = (await atMost(Promise.all(folders.map(ofFolder)), maxWaitMs)) ?? [];
      let left = maxFiles;
      return skills
        .flat()
        .slice(0, maxSkills)
        .filter(({ files }) => (left -= files.length) >= 0);
    },
  };
}

/** A file as a skill has it. Text is what is UTF-8 without loss. */
export function toSkillFile(path: string, bytes: Uint8Array): SkillFile {
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  return { path, digest, bytes: bytes.length, content: contentOf(bytes) };
}

function contentOf(bytes: Uint8Array): SkillFile['content'] {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { data: Buffer.from(bytes).toString('base64') };
  }
}
