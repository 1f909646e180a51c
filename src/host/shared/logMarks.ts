/** How lines of a server's log begin that are the server's own words; who reads the log knows them by it. */
export const strayMark = 'Not a message, ignored: ';
export const errorOutputMark = 'stderr: ';

/** How the line begins that is written when a server is started. */
export const startMark = 'Starting (attempt ';
