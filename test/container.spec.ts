import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Copy, DockerfileParser, type Instruction } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';

const root = join(__dirname, '..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');

describe('the Dockerfile', () => {
  const dockerfile = DockerfileParser.parse(read('Dockerfile'));
  const all = dockerfile.getInstructions();
  const lastFrom = all.map((each) => each.getKeyword()).lastIndexOf('FROM');
  const image = all.slice(lastFrom);
  const last = (keyword: string): string => {
    const found = image.filter((each: Instruction) => each.getKeyword() === keyword).at(-1);
    return found?.getRawArgumentsContent() ?? '';
  };

  it('[O3] is well-formed', () => {
    expect(validate(read('Dockerfile')).map(({ message }) => message)).toEqual([]);
  });

  it('[O3] builds in one stage and runs from another, without the packages of development', () => {
    expect(dockerfile.getFROMs().length).toBeGreaterThan(1);
    const build = all.slice(0, lastFrom).map((each) => each.getTextContent());
    expect(build.join('\n')).toMatch(/npm ci[\s\S]*npm run build && npm prune --omit=dev/);
    expect(image.map((each) => each.getTextContent()).join('\n')).not.toMatch(/\bnpm\b/);
  });

  it('[O3] runs as a user who is not root, with node as process 1, and tells whether it is well', () => {
    expect(last('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(JSON.parse(last('CMD'))).toEqual(['node', 'bin/hello.mjs', 'serve']);
    expect(last('HEALTHCHECK')).toContain('/healthz');
    expect(last('VOLUME')).toBe('/srv/data');
  });

  it('[O3] copies only what is there and what .dockerignore lets through', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    const copied = all
      .filter((each): each is Copy => each instanceof Copy)
      .filter((copy) => copy.getFlags().every((flag) => flag.getName() !== 'from'))
      .flatMap((copy) =>
        copy
          .getArguments()
          .slice(0, -1)
          .map((argument) => argument.getValue()),
      );
    expect(copied).toContain('package.json');
    expect(copied.filter((name) => !existsSync(join(root, name)))).toEqual([]);
    expect(copied.filter((name) => !allowed.includes(`!${name.replace(/^\.\//, '')}`))).toEqual([]);
  });
});

describe('compose.yaml', () => {
  const compose = parse(read('compose.yaml'));

  it('[O3] keeps the data in the volume a2a_data at /srv/data', () => {
    expect(compose.services.api.volumes).toContain('a2a_data:/srv/data');
    expect(Object.keys(compose.volumes)).toEqual(['a2a_data']);
    expect(compose.services.api.environment.A2A_STORE_PATH).toBe('/srv/data/a2a.sqlite');
  });

  it('[O3] [R8] lets the service finish, starts it again, and gives it no more rights than it needs', () => {
    const { restart, stop_grace_period: grace, read_only, cap_drop } = compose.services.api;
    expect({ restart, read_only, cap_drop }).toEqual({
      restart: 'unless-stopped',
      read_only: true,
      cap_drop: ['ALL'],
    });
    expect(Number(/^(\d+)s$/.exec(grace)?.[1])).toBeGreaterThan(10);
  });
});
