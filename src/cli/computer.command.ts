import type { Command } from 'commander';
import type { ComputerView } from '../directory/index.js';
import { directoryCommand, printEntry, printList, printSecret } from './directory-output.js';
import { changeDirectory, readDirectory, type DirectoryOptions } from './directory-store.js';
import type { Terminal } from './terminal.js';

type ListOptions = DirectoryOptions & { account?: string; all?: boolean };

/** `hello computer …`: the machines on which assistants run, each with the relay token (R1) of its daemon. */
export function addComputerCommands(program: Command, terminal: Terminal): void {
  const group = program.command('computer').description('computers of the directory');
  addReading(group, terminal);
  directoryCommand(group, 'add <id>', 'add a computer and print its relay token, this once')
    .requiredOption('--account <account>', 'id or @username of its owner')
    .action(async (id: string, options: DirectoryOptions & { account: string }) => {
      const { account } = options;
      const issued = await changeDirectory(options, terminal, ({ computers }) =>
        computers.add({ id, account }),
      );
      printToken(issued, options, terminal);
    });
  directoryCommand(
    group,
    'rotate <id>',
    'print a new relay token, this once; the old one opens nothing from now on, and a revoked computer comes back',
  ).action(async (id: string, options: DirectoryOptions) => {
    printToken(
      await changeDirectory(options, terminal, ({ computers }) => computers.rotate(id)),
      options,
      terminal,
    );
  });
  directoryCommand(group, 'revoke <id>', 'end its relay token for good and close its connection')
    .alias('disable')
    .action(async (id: string, options: DirectoryOptions) => {
      print(
        await changeDirectory(options, terminal, ({ computers }) => computers.revoke(id)),
        options,
        terminal,
      );
    });
}

function addReading(group: Command, terminal: Terminal): void {
  directoryCommand(group, 'list', 'print the computers, and when their daemons were last heard of')
    .option('--account <account>', 'only those of this account (id or @username)')
    .option('--all', 'with those that are revoked')
    .action(async (options: ListOptions) => {
      const views = await readDirectory(options, terminal, (listing) => listing.computers(options));
      printList(views, COLUMNS, options, terminal);
    });
  directoryCommand(group, 'show <id>', 'print one computer').action(
    async (id: string, options: DirectoryOptions) => {
      print(await readDirectory(options, terminal, (listing) => listing.computer(id)), options, terminal);
    },
  );
}

const COLUMNS = {
  ID: (view: ComputerView) => view.id,
  ACCOUNT: (view: ComputerView) => view.account,
  'LAST SEEN': (view: ComputerView) => view.lastSeenAt ?? 'never',
  STATE: (view: ComputerView) => view.state,
  SOURCE: (view: ComputerView) => view.source,
  CREATED: (view: ComputerView) => view.createdAt,
};

function print(view: ComputerView, options: DirectoryOptions, terminal: Terminal): void {
  const lines = {
    id: view.id,
    account: view.account,
    'last seen': view.lastSeenAt ?? 'never',
    state: view.state,
    source: view.source,
    created: view.createdAt,
    revoked: view.disabledAt,
  };
  printEntry({ json: view, lines }, options, terminal);
}

function printToken(
  { computer, relayToken }: { computer: ComputerView; relayToken: string },
  options: DirectoryOptions,
  terminal: Terminal,
): void {
  const about = `The relay token of computer ${computer.id}, for HELLO_RELAY_TOKEN of its daemon. It is shown once.`;
  printSecret({ json: { ...computer, relayToken }, secret: relayToken, about }, options, terminal);
}
