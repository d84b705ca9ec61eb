import type { Command } from 'commander';
import { printAgent, printLink } from './agent-output.js';
import { directoryCommand } from './directory-output.js';
import { changeDirectory, type DirectoryOptions } from './directory-store.js';
import type { Terminal } from './terminal.js';

/** `hello link …`: the keys (`?k=…`) of link-only assistants (C5), which are named by `@username/handle` or id. */
export function addLinkCommands(program: Command, terminal: Terminal): void {
  const group = program.command('link').description('link keys of assistants');
  directoryCommand(
    group,
    'add <agent>',
    'let everybody call who has a link: make a private assistant link-only, and print its card address, this once',
  ).action(async (agent: string, options: DirectoryOptions) => {
    const link = await changeDirectory(options, terminal, ({ agents }) => agents.addLink(agent));
    await printLink(link, options, terminal);
  });
  directoryCommand(group, 'rotate <agent>', 'replace the link by a new one and print it, this once').action(
    async (agent: string, options: DirectoryOptions) => {
      const link = await changeDirectory(options, terminal, ({ agents }) => agents.rotateLink(agent));
      await printLink(link, options, terminal);
    },
  );
  directoryCommand(group, 'revoke <agent>', 'end the link; the assistant is private from now on').action(
    async (reference: string, options: DirectoryOptions) => {
      const agent = await changeDirectory(options, terminal, ({ agents }) => agents.revokeLink(reference));
      await printAgent({ agent }, options, terminal);
    },
  );
}
