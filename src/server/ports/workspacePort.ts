/** Files of the workspace by name and content, tasks, and what changed in Git. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- filled next
export interface WorkspacePort {}
