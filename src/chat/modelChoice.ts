import type { ChosenModel, ModelWishes } from '../contract/sampling.ts';

type Choice = Pick<ChosenModel, 'model' | 'by'>;

/**
 * How cheap, fast and able the families are to each other, from 0 to 1. A model of no family that is known here is chosen by
 * its name alone.
 */
const families: readonly { readonly name: string; readonly cost: number; readonly speed: number; readonly intelligence: number }[] = [
  { name: 'haiku', cost: 1, speed: 1, intelligence: 0.3 },
  { name: 'sonnet', cost: 0.7, speed: 0.7, intelligence: 0.7 },
  { name: 'opus', cost: 0.4, speed: 0.4, intelligence: 0.85 },
  { name: 'fable', cost: 0.1, speed: 0.2, intelligence: 1 },
];

/**
 * Which of the provider's models a server's wishes mean: the first hint that is part of a name decides; without one, the
 * family with the most points, each priority times how well the family does there. Of several models of a family the one
 * that the provider lists first, which is its newest. Else the model of the chat.
 */
export function chooseModel(wishes: ModelWishes, models: readonly string[], chatModel: string): Choice {
  const hinted = wishes.hints.map((hint) => models.find((id) => id.toLowerCase().includes(hint.trim().toLowerCase()))).find(isKnown);
  if (hinted !== undefined) {
    return { model: hinted, by: 'hint' };
  }
  const best = bestFamily(wishes, models);
  return best === undefined ? { model: chatModel, by: 'chat' } : { model: best, by: 'priorities' };
}

function bestFamily({ cost = 0, speed = 0, intelligence = 0 }: ModelWishes, models: readonly string[]): string | undefined {
  if (cost + speed + intelligence === 0) {
    return undefined;
  }
  let best: { readonly model: string; readonly points: number } | undefined;
  for (const model of models) {
    const family = families.find(({ name }) => model.includes(name));
    const points = family === undefined ? -1 : cost * family.cost + speed * family.speed + intelligence * family.intelligence;
    if (family !== undefined && (best === undefined || points > best.points)) {
      best = { model, points };
    }
  }
  return best?.model;
}

function isKnown(model: string | undefined): model is string {
  return model !== undefined;
}
