import assert from 'node:assert/strict';
import { TaskOutput } from '../../../../../src/editor/acting/tasks/taskOutput.ts';

/** A command in a terminal that writes what a test says. */
class FakeCommand {
  readonly #pieces: string[] = [];
  #isOver = false;
  #wake: () => void = () => undefined;

  write(piece: string): void {
    this.#pieces.push(piece);
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  async *read(): AsyncIterable<string> {
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece !== undefined) {
        yield piece;
      } else if (this.#isOver) {
        return;
      } else {
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    }
  }
}

describe('The output of a task', () => {
  let heard: string[];
  let output: TaskOutput;
  beforeEach(() => {
    heard = [];
    output = new TaskOutput((text) => heard.push(text));
  });

  function runIn(processId: number | undefined, name: string): FakeCommand {
    const command = new FakeCommand();
    const terminal = { name, processId: Promise.resolve(processId) };
    output.follow(terminal, command);
    return command;
  }

  it('is what its own process writes, not what a terminal of its name does', async () => {
    await output.belongsTo(7);
    const impostor = runIn(8, 'Task: build');
    const unborn = runIn(undefined, 'build');
    const own = runIn(7, 'renamed');
    for (const [command, text] of [
      [impostor, 'not this'],
      [unborn, 'nor this'],
      [own, 'but this'],
    ] as const) {
      command.write(text);
      command.end();
    }
    await output.drained();
    assert.deepEqual([heard, output.hasAny], [['but this'], true]);
  });

  it('begins with what was written before its process was known', async () => {
    const own = runIn(7, 'build');
    const other = runIn(8, 'build');
    own.write('early ');
    other.write('another');
    await new Promise(setImmediate);
    assert.deepEqual(heard, []);
    await output.belongsTo(7);
    own.write('late');
    own.end();
    await output.drained();
    assert.deepEqual(heard, ['early ', 'late']);
    other.end();
  });

  it('is nothing where its process never shows in a terminal', async () => {
    const other = runIn(8, 'build');
    other.write('another');
    await output.belongsTo(7);
    await output.drained();
    assert.deepEqual([heard, output.hasAny], [[], false]);
    other.end();
  });

  it('is bounded while nobody knows whose it is', async () => {
    const own = runIn(7, 'build');
    for (let count = 0; count < 100; count += 1) {
      own.write('x'.repeat(64 * 1024));
    }
    own.end();
    await output.drained();
    await output.belongsTo(7);
    assert.equal(heard.join('').length, 256 * 1024);
  });
});
