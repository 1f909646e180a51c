/** The code of a thread as text; `threads` in build/pages.mjs makes it. */
declare module 'thread:*' {
  export const source: string;
}
