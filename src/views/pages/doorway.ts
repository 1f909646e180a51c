// pages/: the host's ends of pages: the link to one, a page in a tab, and what is loaded when somebody looks at one.
import * as vscode from 'vscode';
import { Late } from '../../base/late.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';

export interface DoorwayOptions<View> {
  readonly load: () => Promise<View>;
  readonly report: (error: unknown) => void;
}

/** A view that is shown in places that VS Code keeps for it, and loaded when the first of them is looked at. */
export class Doorway<View> extends Late<View> implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #report: (error: unknown) => void;

  constructor({ load, report }: DoorwayOptions<View>) {
    super(load);
    this.#report = report;
  }

  /** Shows the view in the sidebar or the panel, under the id that package.json gives it. */
  showIn(id: string, show: (view: View, place: vscode.WebviewView) => void, options: ViewOptions = {}): void {
    const resolveWebviewView = (place: vscode.WebviewView): Promise<void> => this.enter(place, (view) => show(view, place));
    this.#lifetime.add(vscode.window.registerWebviewViewProvider(id, { resolveWebviewView }, options));
  }

  /** Shows the view in tabs that were open before the window was reloaded; `stored` is what their pages kept for themselves. */
  reopenTabs(type: string, show: (view: View, panel: vscode.WebviewPanel, stored: unknown) => void | Promise<void>): void {
    const deserializeWebviewPanel = (panel: vscode.WebviewPanel, stored: unknown): Promise<void> =>
      this.enter(panel, (view) => show(view, panel, stored));
    this.#lifetime.add(vscode.window.registerWebviewPanelSerializer(type, { deserializeWebviewPanel }));
  }

  /** Shows the view in one place. Failures are reported here, because VS Code, which asked for the place, would stay silent. */
  async enter(place: vscode.WebviewView | vscode.WebviewPanel, show: (view: View) => void | Promise<void>): Promise<void> {
    const gone = new AbortController();
    place.onDidDispose(() => gone.abort());
    const enter = async (view: View): Promise<void> => (gone.signal.aborted ? undefined : show(view));
    try {
      await enter(await this.get());
    } catch (error) {
      if (this.made === undefined) {
        // VS Code asks for the same place only once: it is filled when somebody else's attempt to load succeeds.
        this.#lifetime.add(this.whenMade((view) => void enter(view).catch(this.#report)));
      }
      this.#report(error);
    }
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}

type ViewOptions = Parameters<typeof vscode.window.registerWebviewViewProvider>[2];
