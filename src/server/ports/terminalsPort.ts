/** Commands in terminals with shell integration, since activation. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- filled next
export interface TerminalsPort {}
