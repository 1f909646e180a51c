/** Unsaved text: nothing that runs outside the editor sees it. */
export interface UnsavedPort {
  /** The files of the workspace with unsaved text. */
  list(): UnsavedFiles;
  /** Saves the unsaved files among these client paths and no others; returns those that VS Code did not save. */
  save(paths: readonly string[]): Promise<UnsavedFiles>;
}

export interface UnsavedFiles {
  /** The client paths of the files that the client may see. */
  readonly paths: readonly string[];
  /** Files that the client may not see; they are named to the person only. */
  readonly withheld: readonly string[];
}
