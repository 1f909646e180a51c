import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { discardAll, keepUnsaved } from './actingCalls.ts';
import { activateDuplex, workspacePath } from './duplex.ts';
import { LookingClient } from './mcpClient.ts';
import { randomFrom } from '../../support/random.ts';
import { count, folder, RandomDisk } from './randomDisk.ts';
import { askAtRandom, questionNames, wasTrue } from './randomQuestions.ts';

/** How long, in ms, to wait before something changes while a question is under way. */
const momentsMs = [0, 0, 5, 20, 100, 300] as const;

/**
 * Files change at random, on the disk and in the editor, while each reading tool is asked at random moments: every answer has to
 * be the truth at some moment between question and answer, or to say that it is not known.
 */
export function describeDiskAtRandom(seeds: readonly number[], cases: number, most: number): void {
  describe('What the disk has while it changes at random', () => {
    let client: LookingClient;
    before(async () => {
      const access = await activateDuplex();
      await keepUnsaved();
      client = await LookingClient.connect(access);
    });
    afterEach(async () => {
      await discardAll();
      await rm(workspacePath(folder), { recursive: true, force: true });
      await rm(workspacePath('.atRandom'), { force: true });
    });
    after(() => client.close());

    for (const seed of seeds) {
      it(`is told as it was between question and answer, or not known (seed ${seed})`, async () => {
        const disk = new RandomDisk(randomFrom(seed));
        const until = performance.now() + most;
        let unknown = 0;
        let asked = 0;
        const faults: string[] = [];
        for (let index = 0; index < count; index += 1) {
          await disk.change();
        }
        for (; asked < cases && performance.now() < until; asked += 1) {
          const name = questionNames[disk.choose(questionNames.length)] ?? '';
          const index = disk.choose(count);
          const changes = disk.choose(3);
          const begun = performance.now();
          const told = askAtRandom(client, name, index).then((answer) => ({ answer, at: performance.now() }));
          told.catch(() => undefined); // awaited below
          for (let change = 0; change < changes; change += 1) {
            const moment = momentsMs[disk.choose(momentsMs.length)] ?? 0;
            await new Promise((resolve) => setTimeout(resolve, moment));
            await disk.change();
          }
          const { answer, at } = await told;
          unknown += answer.kind === 'unknown' ? 1 : 0;
          if (!wasTrue(answer, disk.between(begun, at))) {
            const what = 'what' in answer ? JSON.stringify(answer.what) : '';
            faults.push(`${name} m${index} after ${disk.log.slice(-6).join(', ')}: ${what}; now ${JSON.stringify(disk.now)}`);
          }
          disk.log.push(`${name} m${index}`);
        }
        console.log(`seed ${seed}: ${asked} questions, ${unknown} not known, ${faults.length} false`);
        assert.deepEqual(faults, [], `${faults.length} of ${asked} answers were false, ${unknown} not known: ${faults.join('; ')}`);
        assert.ok(asked > 10 && unknown < asked / 2, `${asked} questions, ${unknown} not known`);
      });
    }
  });
}
