import type { ActingPort, ChangeGuard, ChangeOrigin, FileProposal, FileReview, RunningCommand } from '../ports/actingPort.ts';
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
    findCodeAction: (request) => on(request.path, () => acting.findCodeAction(request, guard)),
    applyCodeAction: (request, found, origin, signal) =>
      on(request.path, () => acting.applyCodeAction(request, found, guarded(origin), signal)),
    findTask: (name, folder) => acting.findTask(name, folder),
    startTask: (task, onOutput, signal) => acting.startTask(task, onOutput, signal),
    commandPlace: (author, cwd) => (cwd === undefined ? acting.commandPlace(author, cwd) : on(cwd, () => acting.commandPlace(author, cwd))),
    startCommand: async (request, signal) => withholdingOutput(await acting.startCommand(request, signal), visibility),
    runningCommand: (author) => {
      const running = acting.runningCommand(author);
      return running && withholdingOutput(running, visibility);
    },
    endClient: (credentialId) => acting.endClient(credentialId),
  };
}

/** Redacts what a command wrote. A part of it is looked at within the whole, lest a secret be cut before it is recognized. */
function withholdingOutput(running: RunningCommand, visibility: Visibility): RunningCommand {
  return {
    id: running.id,
    command: running.command,
    ended: running.ended,
    output: async (since) => {
      const [whole, part] = await Promise.all([running.output(), running.output(since)]);
      return visibility.redactPart(whole, { from: whole.length - part.length, to: whole.length });
    },
    position: () => running.position(),
    writes: () => running.writes(),
    type: (text) => running.type(text),
    interrupt: () => running.interrupt(),
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
