import type { Command } from 'commander';
import type { AccountView } from '../directory/index.js';
import { directoryCommand, printEntry, printList } from './directory-output.js';
import {
  changeDirectory,
  readDirectory,
  type DirectoryAdmin,
  type DirectoryOptions,
} from './directory-store.js';
import type { Terminal } from './terminal.js';

/** `hello account …`: those who own computers, assistants and API keys. An account is named by its id or `@username`. */
export function addAccountCommands(program: Command, terminal: Terminal): void {
  const group = program.command('account').description('accounts of the directory');
  const change = async (
    options: DirectoryOptions,
    apply: (accounts: DirectoryAdmin['accounts']) => Promise<AccountView>,
  ) => print(await changeDirectory(options, terminal, ({ accounts }) => apply(accounts)), options, terminal);

  directoryCommand(group, 'add <id>', 'add an account; its id is the `sub` of its tokens')
    .requiredOption('--username <name>', 'first part of the addresses of its assistants')
    .action((id: string, options: DirectoryOptions & { username: string }) =>
      change(options, (accounts) => accounts.add({ id, username: options.username })),
    );
  directoryCommand(group, 'list', 'print the accounts')
    .option('--all', 'with those that are disabled')
    .action(async (options: DirectoryOptions & { all?: boolean }) => {
      const views = await readDirectory(options, terminal, (listing) => listing.accounts(options));
      printList(views, COLUMNS, options, terminal);
    });
  directoryCommand(group, 'show <account>', 'print one account').action(
    async (account: string, options: DirectoryOptions) =>
      print(await readDirectory(options, terminal, (listing) => listing.account(account)), options, terminal),
  );
  directoryCommand(
    group,
    'rename <account> <username>',
    'change the username, and so all its addresses',
  ).action((account: string, username: string, options: DirectoryOptions) =>
    change(options, (accounts) => accounts.rename(account, username)),
  );
  directoryCommand(
    group,
    'disable <account>',
    'hide its assistants, disconnect its computers, stop its API keys',
  ).action((account: string, options: DirectoryOptions) =>
    change(options, (accounts) => accounts.disable(account)),
  );
  directoryCommand(group, 'enable <account>', 'undo disable').action(
    (account: string, options: DirectoryOptions) => change(options, (accounts) => accounts.enable(account)),
  );
}

const COLUMNS = {
  ID: (view: AccountView) => view.id,
  USERNAME: (view: AccountView) => view.username,
  STATE: (view: AccountView) => view.state,
  SOURCE: (view: AccountView) => view.source,
  CREATED: (view: AccountView) => view.createdAt,
};

function print(view: AccountView, options: DirectoryOptions, terminal: Terminal): void {
  const lines = {
    id: view.id,
    username: view.username,
    state: view.state,
    source: view.source,
    created: view.createdAt,
    disabled: view.disabledAt,
  };
  printEntry({ json: view, lines }, options, terminal);
}
