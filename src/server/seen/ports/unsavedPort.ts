/** What is typed and not yet on disk: whatever runs outside the editor does not see it. */
export interface UnsavedPort {
  /** Files of the workspace with unsaved text. */
  list(): UnsavedFiles;
  /** Saves those of them that are at these client paths, and no other; gives those that VS Code did not save. */
  save(paths: readonly string[]): Promise<UnsavedFiles>;
}

export interface UnsavedFiles {
  /** Client paths. */
  readonly paths: readonly string[];
  /** Those that the client may not see: for the person's eyes alone. */
  readonly withheld: readonly string[];
}
