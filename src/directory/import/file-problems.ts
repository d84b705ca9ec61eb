import type { z } from 'zod';
import { hashSecret } from '../../common/index.js';
import type { DirectoryFile } from './directory-file.schema.js';

/** One line for each fault of form: `agents[2].handle: must be …`. */
export function formProblems(error: z.ZodError): string[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => `${place([...issue.path, key])}: is not known`);
    }
    const missing = issue.code === 'invalid_type' && issue.input === undefined && issue.path.length > 0;
    return [`${place(issue.path)}: ${missing ? 'is missing' : issue.message}`];
  });
}

function place(path: readonly PropertyKey[]): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return text === '' ? 'the file' : text.replace(/^\./, '');
}

/** Faults between entries of a well-formed file: references, uniqueness, ownership, secrets. */
export function relationProblems(file: DirectoryFile): string[] {
  const problems = new Problems();
  problems.unique('accounts', 'id', file.accounts, (entry) => entry.id);
  problems.unique('accounts', 'username', file.accounts, (entry) => entry.username);
  checkComputers(file, problems);
  checkAgents(file, problems);
  checkApiKeys(file, problems);
  return problems.found;
}

function checkComputers(file: DirectoryFile, problems: Problems): void {
  const computers = file.computers ?? [];
  problems.unique('computers', 'id', computers, (entry) => entry.id);
  problems.unique('computers', 'relayToken', computers, (entry) =>
    hashOf(entry.relayToken, entry.relayTokenHash),
  );
  problems.references('computers', 'account', computers, new Set(file.accounts.map((entry) => entry.id)));
  for (const [index, entry] of computers.entries()) {
    problems.oneOfTwo(`computers[${index}]`, ['relayToken', 'relayTokenHash'], entry);
  }
}

function checkAgents(file: DirectoryFile, problems: Problems): void {
  const agents = file.agents ?? [];
  const owners = new Map((file.computers ?? []).map((entry) => [entry.id, entry.account]));
  problems.unique('agents', 'id', agents, (entry) => entry.id);
  problems.unique('agents', 'handle', agents, (entry) => JSON.stringify([entry.account, entry.handle]));
  problems.references('agents', 'account', agents, new Set(file.accounts.map((entry) => entry.id)));
  problems.references('agents', 'computer', agents, new Set(owners.keys()));
  for (const [index, entry] of agents.entries()) {
    const owner = owners.get(entry.computer);
    if (owner !== undefined && owner !== entry.account) {
      problems.found.push(`agents[${index}].computer: belongs to another account`);
    }
    const hasKey = typeof entry.linkKey === 'string' || typeof entry.linkKeyHash === 'string';
    if (entry.visibility === 'link' || hasKey) {
      problems.oneOfTwo(`agents[${index}]`, ['linkKey', 'linkKeyHash'], entry);
    }
  }
}

function checkApiKeys(file: DirectoryFile, problems: Problems): void {
  const apiKeys = file.apiKeys ?? [];
  problems.unique('apiKeys', 'key', apiKeys, (entry) => hashOf(entry.key, entry.keyHash));
  problems.references('apiKeys', 'account', apiKeys, new Set(file.accounts.map((entry) => entry.id)));
  for (const [index, entry] of apiKeys.entries()) {
    problems.oneOfTwo(`apiKeys[${index}]`, ['key', 'keyHash'], entry);
  }
}

/** What is stored of a secret that the file gives in clear or as its hash. */
export function hashOf(
  secret: string | null | undefined,
  hash: string | null | undefined,
): string | undefined {
  return typeof secret === 'string' ? hashSecret(secret) : (hash ?? undefined);
}

class Problems {
  readonly found: string[] = [];

  unique<T>(list: string, field: string, entries: T[], keyOf: (entry: T) => string | undefined): void {
    const seen = new Map<string, number>();
    for (const [index, entry] of entries.entries()) {
      const key = keyOf(entry);
      if (key === undefined) continue;
      const first = seen.get(key);
      if (first === undefined) seen.set(key, index);
      else this.found.push(`${list}[${index}].${field}: is the same as that of ${list}[${first}]`);
    }
  }

  references<F extends string>(
    list: string,
    field: F,
    entries: Record<F, string>[],
    known: ReadonlySet<string>,
  ): void {
    for (const [index, entry] of entries.entries()) {
      if (!known.has(entry[field])) this.found.push(`${list}[${index}].${field}: is not an id of ${field}s`);
    }
  }

  oneOfTwo<F extends string>(
    entry: string,
    [left, right]: [F, F],
    values: { [K in F]?: string | null | undefined },
  ): void {
    const given = [left, right].filter((field) => typeof values[field] === 'string');
    if (given.length !== 1) this.found.push(`${entry}.${left}: give either ${left} or ${right}`);
  }
}
