import assert from 'node:assert/strict';
import { fitsTemplate } from '../../../../src/host/offered/addresses.ts';
import { OfferedLists } from '../../../../src/host/offered/offeredLists.ts';
import type { PromptInfo, ServerSnapshot } from '../../../../src/host/shared/serverState.ts';

/** As many as a server may list. */
const many = 2_000;

function listedBy(lists: Partial<Pick<ServerSnapshot, 'prompts' | 'resources' | 'templates'>>): ServerSnapshot {
  return { id: 's', name: 's', label: 'S', tools: [], prompts: [], resources: [], templates: [], ...lists } as unknown as ServerSnapshot;
}

describe('The lists of an offered server', () => {
  it('are made by looking at each prompt a few times, however many there are', () => {
    let looks = 0;
    const prompts = Array.from({ length: many }, (_, index): PromptInfo => {
      const name = `prompt${index}`;
      return {
        get name() {
          looks += 1;
          return name;
        },
        title: undefined,
        description: '',
        arguments: [],
      };
    });
    const lists = new OfferedLists();
    lists.update([listedBy({ prompts })]);
    assert.ok(looks < 10 * many, `${looks} looks`);
    assert.equal(lists.prompts.length, many);
    assert.ok(lists.prompts.every(({ prompt }, index) => prompt === prompts[index]));
  });

  it('give an address that is listed again and again to nobody', () => {
    const resource = { uri: 'notes://one', name: 'one', title: undefined, description: '', mimeType: undefined, size: undefined };
    const lists = new OfferedLists();
    lists.update([listedBy({ resources: Array.from({ length: many }, () => resource) })]);
    assert.deepEqual([lists.resources, lists.ownersOf(resource.uri).length], [[], many]);
  });

  it('know no pattern of more variables than anybody can fill in', () => {
    assert.equal(fitsTemplate(`notes:${'a'.repeat(50)}`, `notes:${'{a}'.repeat(50)}`), true);
    assert.equal(fitsTemplate(`notes:${'a'.repeat(50)}`, `notes:${'{a}'.repeat(51)}`), false);
  });
});
