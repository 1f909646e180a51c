import type { ActingPort, ChangeGuard, ChangeOrigin, FileProposal, FileReview } from '../ports/actingPort.ts';
import { requireShown, type Visibility } from './visibility.ts';

const marker = /\[redacted\]/g;

/** Wraps the acting port so that withheld files look absent. */
export function withholdingActing(acting: ActingPort, visibility: Visibility): ActingPort {
  /** Rejects if the path is withheld; otherwise does the work. */
  const on = async <T>(path: string, act: () => Promise<T>): Promise<T> => {
    requireShown(path, visibility);
    return act();
  };
  const guard: ChangeGuard = {
    mayTouch: (path) => visibility.isShown(path),
    losesWithheld: (before, after) => writesMarkers(before, after, visibility),
    hideWithheld: (text) => visibility.hide(text),
  };
  const guarded = <T extends ChangeOrigin>(origin: T): T => ({ ...origin, guard });
  return {
    openFile: (request) => on(request.path, () => acting.openFile(request)),
    showMessage: (author, level, message) => acting.showMessage(author, level, message),
    proposeEdits: async (proposal, signal) => {
      for (const path of proposal.files.flatMap(pathsOf)) {
        requireShown(path, visibility);
      }
      const { files, ...review } = await acting.proposeEdits(guarded(proposal), signal);
      return { ...review, files: await Promise.all(files.map((file) => shownReview(file, visibility))) };
    },
    checkSave: (path) => on(path, () => acting.checkSave(path)),
    save: (path, version) => on(path, () => acting.save(path, version)),
    formatDocument: (request, origin, signal) => on(request.path, () => acting.formatDocument(request, guarded(origin), signal)),
    renameSymbol: (request, origin, signal) => on(request.path, () => acting.renameSymbol(request, guarded(origin), signal)),
    findCodeAction: (request) => on(request.path, () => acting.findCodeAction(request)),
    applyCodeAction: (request, found, origin, signal) =>
      on(request.path, () => acting.applyCodeAction(request, found, guarded(origin), signal)),
    findTask: (name) => acting.findTask(name),
    startTask: (task, onOutput) => acting.startTask(task, onOutput),
    commandFolder: (cwd) => (cwd === undefined ? acting.commandFolder(cwd) : on(cwd, () => acting.commandFolder(cwd))),
    startCommand: async (request, signal) => {
      const running = await acting.startCommand(request, signal);
      return { ended: running.ended, output: () => visibility.redact(running.output()), interrupt: () => running.interrupt() };
    },
  };
}

function pathsOf({ path, change }: FileProposal): readonly string[] {
  return change.kind === 'move' ? [path, change.moveTo] : [path];
}

/** The review may have taken long: a file that is withheld by now looks absent, even if the client read it before. */
async function shownReview({ text, ...file }: FileReview, visibility: Visibility): Promise<FileReview> {
  if (!visibility.isShown(file.path)) {
    return { ...file, version: '' };
  }
  return text === undefined ? file : { ...file, text: await visibility.redactPart(text, { from: 0, to: text.length }) };
}

/** Whether a client that read `[redacted]` would write it over the secret that it stands for. */
async function writesMarkers(before: string, after: string, visibility: Visibility): Promise<boolean> {
  const count = (text: string): number => text.match(marker)?.length ?? 0;
  return count(after) > count(before) && (await visibility.redactPart(before, { from: 0, to: before.length })) !== before;
}
