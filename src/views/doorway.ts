import type * as vscode from 'vscode';
import { Late } from '../base/late.ts';

export interface DoorwayOptions<View> {
  readonly load: () => Promise<View>;
  readonly report: (error: unknown) => void;
}

/** Leads to what is shown in places that VS Code keeps for it: loaded when the first of them is looked at. */
export class Doorway<View> {
  readonly #report: (error: unknown) => void;
  readonly #view: Late<View>;
  /** Where nothing could be shown; VS Code asks for the same place only once. */
  readonly #blank = new Set<(view: View) => void>();

  constructor({ load, report }: DoorwayOptions<View>) {
    this.#report = report;
    this.#view = new Late(async () => {
      const view = await load();
      this.#blank.forEach((show) => show(view));
      this.#blank.clear();
      return view;
    });
  }

  /** Undefined as long as nobody looked. */
  get made(): View | undefined {
    return this.#view.made;
  }

  load(): Promise<View> {
    return this.#view.get();
  }

  /** Tells of what fails: whoever asked for the place would stay silent. */
  async enter(place: vscode.WebviewView | vscode.WebviewPanel, show: (view: View) => void | Promise<void>): Promise<void> {
    const gone = new AbortController();
    place.onDidDispose(() => gone.abort());
    const enter = async (view: View): Promise<void> => (gone.signal.aborted ? undefined : show(view));
    try {
      await enter(await this.load());
    } catch (error) {
      if (this.made === undefined) {
        this.#blank.add((view) => void enter(view).catch(this.#report));
      }
      this.#report(error);
    }
  }
}
