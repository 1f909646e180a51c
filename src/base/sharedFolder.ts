import type { Event } from './events.ts';

export interface FolderFile {
  readonly name: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** That something is this window's to change, until it is given back. */
export interface Hold {
  /** False when this window slept so long that another one took it. */
  isStillOurs(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * A folder of folders of files that all windows share. Names are `FOLDER/FILE`. Files are replaced whole, so that a reader sees
 * the old or the new one; what is not there is undefined.
 */
export interface SharedFolder {
  /** The name of a file of the watched folder that came, went or was replaced; '' when it may be any. */
  readonly onDidChange: Event<string>;
  folders(): Promise<readonly string[]>;
  list(folder: string): Promise<readonly FolderFile[]>;
  /** Also undefined when it is larger than that. */
  read(name: string, maxBytes: number): Promise<string | undefined>;
  /** Its first bytes. A character at the end may be cut. */
  readStart(name: string, bytes: number): Promise<string | undefined>;
  write(name: string, text: string): Promise<void>;
  /** Counts as changed then. Nothing happens when it is not there. */
  move(from: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Undefined while another window has it. */
  hold(name: string): Promise<Hold | undefined>;
  isHeldByOther(name: string): Promise<boolean>;
}
