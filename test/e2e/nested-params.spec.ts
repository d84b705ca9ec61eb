import { Module, type Type } from '@nestjs/common';
import { IsInt, IsOptional, IsString, MaxLength, Min, ValidateNested } from 'class-validator';
import { A2AHandler, A2AMethod, NestedParams, Params } from '../../src/index.js';
import { ADDRESSES, TestApi } from '../support/test-api.js';

class Size {
  @IsInt()
  @Min(1)
  width!: number;
}

class Item {
  @IsString()
  @MaxLength(10)
  name!: string;

  @IsOptional()
  @NestedParams(() => Size)
  size?: Size;

  @IsOptional()
  @NestedParams(() => Item)
  parts?: Item[];

  get label(): string {
    return `${this.name}!`;
  }
}

class OrderParams {
  @NestedParams(() => Item)
  items!: Item[];

  @IsOptional()
  @NestedParams(() => Item)
  gift?: Item;
}

/** What extends another class has its members as well. */
class RushParams extends OrderParams {
  @IsInt()
  hours!: number;
}

@A2AHandler('1.0')
class Orders {
  @A2AMethod('x-acme/Order')
  order(@Params() { items, gift }: OrderParams) {
    return { labels: [...items, ...(gift ? [gift] : [])].map(({ label }) => label), items, gift };
  }

  @A2AMethod('x-acme/Rush')
  rush(@Params() { items, hours }: RushParams) {
    return { hours, labels: items.map(({ label }) => label) };
  }
}

const moduleWith = (handler: Type): Type => {
  @Module({ providers: [handler] })
  class Extension {}
  return Extension;
};

describe('parameters within parameters', () => {
  let api: TestApi;
  const call = async (params: unknown, method = 'x-acme/Order') =>
    (await api.rpc(ADDRESSES.helper, method, params)).body;
  beforeAll(async () => {
    api = await TestApi.start({}, { imports: [moduleWith(Orders)] });
  });
  afterAll(() => api.close());

  it('become instances of their classes, with members that have a rule alone', async () => {
    const items = [
      { name: 'cup', secret: 1, size: { width: 2, depth: 3 }, parts: [{ name: 'lid', other: 1 }] },
      { name: 'pan', size: null },
    ];
    const { result } = await call({ items, gift: { name: 'bow', __proto__: { admin: true } } });
    expect(result.labels).toEqual(['cup!', 'pan!', 'bow!']);
    expect(result.items).toEqual([
      { name: 'cup', size: { width: 2 }, parts: [{ name: 'lid' }] },
      { name: 'pan' },
    ]);
    expect(result.gift).toEqual({ name: 'bow' });
    const rushed = await call({ items: [{ name: 'cup' }], hours: 2 }, 'x-acme/Rush');
    expect(rushed.result).toEqual({ hours: 2, labels: ['cup!'] });
  });

  it.each<[string, unknown, string[]]>([
    ['a member of an item', { items: [{ name: 'cup' }, { name: 7 }] }, ['items[1].name']],
    ['deeper', { items: [{ name: 'a', size: { width: 0 } }] }, ['items[0].size.width']],
    ['deeper in lists', { items: [{ name: 'a', parts: [{ name: 'b' }, {}] }] }, ['items[0].parts[1].name']],
    ['a single one', { items: [], gift: { name: 'far too long a name' } }, ['gift.name']],
    ['no list', { items: { name: 'cup' } }, ['items']],
    ['a list of other things', { items: ['cup', null] }, ['items']],
    ['a list for a single one', { items: [], gift: [{ name: 'bow' }] }, ['gift']],
    ['a text for a single one', { items: [], gift: 'bow' }, ['gift']],
    ['nothing', {}, ['items']],
  ])('[W3] are named by their path when they are wrong: %s', async (_, params, fields) => {
    const { error } = await call(params);
    expect(error.code).toBe(-32602);
    const named = error.data[0].fieldViolations.map(({ field }: { field: string }) => field);
    expect([...new Set(named)]).toEqual(fields);
  });
});

describe('parameters that cannot be', () => {
  class Undeclared {
    @ValidateNested({ each: true })
    items!: Item[];
  }
  class Outer {
    @NestedParams(() => Undeclared)
    inner!: Undeclared;
  }
  class NoRules {
    name!: string;
  }

  @A2AHandler('1.0')
  class HasUndeclared {
    @A2AMethod('x-acme/A')
    take(@Params() params: Outer) {
      return params;
    }
  }
  @A2AHandler('1.0')
  class HasNoRules {
    @A2AMethod('x-acme/A')
    take(@Params() params: NoRules) {
      return params;
    }
  }
  @A2AHandler('1.0')
  class HasNoClass {
    @A2AMethod('x-acme/A')
    take(@Params() params: { name: string }) {
      return params;
    }
  }

  it.each<[Type, string]>([
    [
      HasUndeclared,
      'HasUndeclared.take: Undeclared.items has @ValidateNested(); use @NestedParams(() => Class)',
    ],
    [HasNoRules, 'HasNoRules.take: NoRules has no rule of class-validator'],
    [HasNoClass, 'HasNoClass.take: the parameter with @Params() needs a class as its type'],
  ])('[O1] stop the start, and name class and method: %p', async (handler, message) => {
    await expect(TestApi.start({}, { imports: [moduleWith(handler)] })).rejects.toThrow(message);
  });
});
