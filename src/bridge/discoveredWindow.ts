import type { DiscoveryFile } from '../contract/discoveryFile.ts';

/** A window whose discovery file passed every check. */
export interface DiscoveredWindow {
  readonly file: string;
  readonly content: DiscoveryFile;
  /** The workspace folders as the editor names them, and without links where that differs. */
  readonly roots: readonly string[];
}

/** Why a file under `DUPLEX_HOME/windows`, or that folder itself, is not used. */
export type Refusal =
  | 'deadProcess'
  | 'malformed'
  | 'notAFile'
  | 'otherMachine'
  | 'otherOwner'
  | 'silent'
  | 'symbolicLink'
  | 'tooLarge'
  | 'unproven'
  | 'unreadable'
  | 'widerMode';

export interface RefusedFile {
  readonly file: string;
  readonly why: Refusal;
  /** Of the window, where one was read. */
  readonly name?: string | undefined;
}

export interface FoundWindows {
  readonly windows: readonly DiscoveredWindow[];
  readonly refused: readonly RefusedFile[];
}
