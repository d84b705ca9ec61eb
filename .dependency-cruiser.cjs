/**
 * The arrows of ARCHITECTURE.md as lint rules: which module may import which.
 * `common` is a leaf without Nest and open to every module but `relay-protocol` (ADR 0006).
 */
const arrows = {
  config: [],
  common: [],
  direct: [],
  a2a: [],
  rpc: ['a2a'],
  accounts: ['config'],
  directory: ['config'],
  discovery: ['directory', 'accounts', 'a2a', 'rpc'],
  limits: ['config'],
  docs: ['config'],
  tasks: ['a2a', 'limits'],
  v1: ['rpc', 'tasks', 'accounts', 'directory', 'a2a'],
  v03: ['rpc', 'tasks', 'accounts', 'directory', 'a2a'],
  'relay-protocol': [],
  relay: ['relay-protocol', 'tasks', 'directory'],
  maintenance: ['tasks', 'relay'],
  daemon: ['relay-protocol'],
  assistants: ['daemon', 'directory', 'relay'],
};

const allowed = (module, targets) => {
  const leaves = module === 'relay-protocol' || module === 'common' ? [] : ['common'];
  return [
    '^node_modules',
    '^(node:)?[a-z_/]+$',
    `^src/${module}/`,
    ...[...targets, ...leaves].map((t) => `^src/${t}/index[.]ts$`),
  ];
};

const moduleRules = Object.entries(arrows).map(([module, targets]) => ({
  name: `arrows-of-${module}`,
  severity: 'error',
  comment: `src/${module} may import ${targets.join(', ') || 'no other module'}, each through its index.ts.`,
  from: { path: `^src/${module}/`, pathNot: '[.]spec[.]ts$' },
  to: { pathNot: allowed(module, targets) },
}));

module.exports = {
  forbidden: [
    ...moduleRules,
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'only-through-index',
      severity: 'error',
      comment: 'A module is imported through its index.ts alone; migrations and entities included.',
      from: { path: '^src/([^/]+)/' },
      to: { path: '^src/([^/]+)/', pathNot: ['^src/$1/', '^src/[^/]+/index[.]ts$'] },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: '[.]spec[.]ts$|^src/(main|index|testing/index)[.]ts$' },
      to: {},
    },
    {
      name: 'leaves-without-nest',
      severity: 'error',
      comment: 'Vocabulary, frames, leaves and the daemon know no framework.',
      from: { path: '^src/(a2a|common|relay-protocol|daemon)/', pathNot: '[.]spec[.]ts$' },
      to: { path: 'node_modules/@nestjs/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
