import type { ServerDefinition } from '../../definitions/serverDefinition.ts';
import type { CommandHandlers } from '../../views/commandTable.ts';
import { openDefinition } from '../../views/openDefinition.ts';
import { pickServer } from '../../views/pickServer.ts';
import { editServer, removeServer, setDisabled, tellInputsForgotten } from '../../views/serverChanges.ts';
import type { CommandContext } from './commandContext.ts';

type DefinitionCommand = 'openServerDefinition' | 'editServer' | 'disableServer' | 'enableServer' | 'removeServer' | 'forgetServerInputs';

/** What is configured of a server, in the place where it is. */
export function definitionCommands({ host, inputs, reporter }: CommandContext): Pick<CommandHandlers, DefinitionCommand> {
  const { registry } = host;
  const withDefinition =
    (ability: Parameters<typeof pickServer>[1], act: (definition: ServerDefinition) => Promise<void>) =>
    async (argument?: unknown): Promise<void> => {
      const picked = await pickServer(registry.servers(), ability, argument);
      const definition = picked === undefined ? undefined : registry.definitionOf(picked.id);
      if (definition !== undefined) {
        await act(definition);
      }
    };
  const forget = (definition: ServerDefinition): Promise<void> => inputs.forget(definition, definition.inputs);
  return {
    openServerDefinition: withDefinition('openable', openDefinition),
    editServer: withDefinition('editable', editServer),
    disableServer: withDefinition('disableable', (definition) => setDisabled(definition, true)),
    enableServer: withDefinition('enableable', (definition) => setDisabled(definition, false)),
    removeServer: withDefinition('editable', (definition) =>
      removeServer(definition, () => forget(definition).catch((error: unknown) => reporter.report(error))),
    ),
    forgetServerInputs: withDefinition('withInputs', async (definition) => {
      await forget(definition);
      tellInputsForgotten(definition.label);
    }),
  };
}
