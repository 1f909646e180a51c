import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import { views } from '../contract/identity.ts';
import { Doorway, type DoorwayOptions } from './doorway.ts';
import type { TrafficView } from './trafficView.ts';

/** Where VS Code asks for the messages: there from the start; what shows them comes when somebody does. */
export class TrafficDoor implements Disposable {
  readonly #lifetime = new DisposableStore();

  constructor({ load, report }: DoorwayOptions<TrafficView>) {
    const doorway = new Doorway({ load: async () => this.#lifetime.add(await load()), report });
    this.#lifetime.add(
      vscode.window.registerWebviewViewProvider(views.traffic, {
        resolveWebviewView: (view) => doorway.enter(view, (traffic) => traffic.resolveWebviewView(view)),
      }),
    );
  }

  async show(): Promise<void> {
    await vscode.commands.executeCommand(`${views.traffic}.focus`);
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}
