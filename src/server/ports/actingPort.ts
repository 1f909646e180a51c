/** Changes and runs that a client may ask for. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- filled next
export interface ActingPort {}
