/** What stands in the place of a secret that was removed. */
export const secretMark = '[redacted]';
