import 'reflect-metadata';
import {
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  validate,
} from 'class-validator';
import fc from 'fast-check';
import { surelyValid } from './quick-check.js';

class Inner {
  @IsString()
  name!: unknown;

  @IsOptional()
  @IsString({ each: true })
  tags?: unknown;
}

class Outer {
  @IsInt()
  @Max(10)
  size!: unknown;

  @IsOptional()
  @IsIn(['a', 'b'])
  letter?: unknown;

  @ValidateNested()
  inner!: unknown;

  @IsOptional()
  @ValidateNested({ each: true })
  list?: unknown;

  @ValidateIf((owner: Outer) => owner.letter === 'a')
  @IsString()
  reason?: unknown;
}

class Base {
  @IsString()
  id!: unknown;
}
class Derived extends Base {
  @IsOptional()
  @IsInt()
  count?: unknown;
}

class Slow {
  @ValidateBy({ name: 'slow', validator: { validate: () => Promise.resolve(true) } })
  name!: unknown;
}

class WithoutRules {
  anything = 1;
}

async function isValid(object: object): Promise<boolean> {
  return (await validate(object, { forbidUnknownValues: true })).length === 0;
}

const scalar = fc.oneof(
  fc.constantFrom<unknown>(
    'a',
    'b',
    '',
    0,
    5,
    11,
    1.5,
    null,
    undefined,
    true,
    {},
    [],
    new Set(['x']),
    new Map(),
  ),
  fc.string(),
);
const inner = fc
  .record({ name: scalar, tags: fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })) })
  .map((members) => Object.assign(new Inner(), members));
const outer = fc
  .record({
    size: fc.oneof(fc.integer({ min: 0, max: 12 }), scalar),
    letter: scalar,
    inner: fc.oneof(inner, scalar),
    list: fc.oneof(fc.array(fc.oneof(inner, scalar), { maxLength: 3 }), scalar),
    reason: scalar,
  })
  .map((members) => Object.assign(new Outer(), members));
const derived = fc
  .record({ id: scalar, count: scalar })
  .map((members) => Object.assign(new Derived(), members));

describe('surelyValid', () => {
  it('[W3] accepts nothing that class-validator refuses', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(outer, inner, derived), async (object) => {
        if (surelyValid(object)) expect(await isValid(object)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  it('accepts what is plainly valid, so that class-validator is not asked', () => {
    const part = Object.assign(new Inner(), { name: 'n', tags: ['t'] });
    const whole = Object.assign(new Outer(), {
      size: 3,
      letter: 'a',
      inner: part,
      list: [part],
      reason: 'r',
    });
    expect(surelyValid(whole)).toBe(true);
    expect(surelyValid(Object.assign(new Derived(), { id: 'x', count: 1 }))).toBe(true);
  });

  it('[W3] accepts nothing without rules, with rules that take time, or without a class', () => {
    expect(surelyValid(new WithoutRules())).toBe(false);
    expect(surelyValid(Object.assign(new Slow(), { name: 'x' }))).toBe(false);
    expect(surelyValid({ id: 'x' })).toBe(false);
    expect(surelyValid(Object.create(null) as object)).toBe(false);
    expect(surelyValid(Object.assign(new Derived(), { count: 1 }))).toBe(false);
  });
});
