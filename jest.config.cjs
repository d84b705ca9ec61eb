/** One project per kind of test, so that `jest --selectProjects unit` is quick. */
const esmPackages = ['@nestjs', 'jose', 'uuid', 'yocto-spinner', 'yoctocolors'];

const shared = {
  rootDir: __dirname,
  testEnvironment: 'node',
  transform: { '^.+\\.(ts|js|mjs)$': ['@swc/jest'] },
  transformIgnorePatterns: [`/node_modules/(?!(${esmPackages.join('|')})/)`],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  setupFiles: ['reflect-metadata'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};

const folder = (name) => ({
  ...shared,
  displayName: name,
  testMatch: [`<rootDir>/test/${name}/**/*.spec.ts`],
});

module.exports = {
  // Waits within tests give up after a minute and say for what they waited; this is for those that do not wait that way.
  testTimeout: 120_000,
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: [
        '<rootDir>/src/**/*.spec.ts',
        '<rootDir>/test/pins/**/*.spec.ts',
        '<rootDir>/test/*.spec.ts',
      ],
    },
    folder('integration'),
    folder('e2e'),
    folder('interop'),
  ],
};
