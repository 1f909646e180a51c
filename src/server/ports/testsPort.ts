/** Runs of tests, however they were started. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- filled next
export interface TestsPort {}
