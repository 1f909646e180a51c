interface AboutProblem<T> {
  /** Shows the chat with words about the problem. */
  readonly draft: () => Promise<void>;
  readonly attach: (problem: T) => Promise<void>;
  readonly sayNone: () => void;
}

/** Where there is no problem to ask about, that is said, and the chat stays as it is. */
export async function askAboutProblem<T>(problem: T | undefined, { draft, attach, sayNone }: AboutProblem<T>): Promise<void> {
  if (problem === undefined) {
    sayNone();
    return;
  }
  await draft();
  await attach(problem);
}
