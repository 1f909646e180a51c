import type { AppError } from '../base/errors.ts';
import type { DefinitionProblem, DefinitionSource } from './serverDefinition.ts';

/** Says what is wrong, and where inside the one place it was made for. */
export type Report = (severity: DefinitionProblem['severity'], problem: AppError, place?: ProblemPlace) => void;

interface ProblemPlace {
  readonly server?: string;
  readonly path?: readonly (string | number)[];
}

export function reporterOf({ scope, folder, location }: DefinitionSource, problems: DefinitionProblem[]): Report {
  return (severity, { code, message, args }, { server, path = [] } = {}) => {
    problems.push({ severity, code, message, args, scope, folder, location, server, path });
  };
}
