import type { Type } from '@nestjs/common';
import { getMetadataStorage, ValidateNested, ValidationTypes } from 'class-validator';
import { ParamRule } from './param-rules.js';
import { isObject, ownMember } from './params-reader.js';

const NESTED = Symbol('hello:nested-params');

/**
 * A member that is an object with rules of its own, or a list of such, as the property's type says: what was sent becomes
 * instances of the class, and what is wrong in it is named by its path, such as `items[0].name`.
 * @param type the class of the object, or of the list's items; a function, since classes may come later in a file
 */
export function NestedParams(type: () => Type<object>): PropertyDecorator {
  return (prototype, property) => {
    const isList = Reflect.getMetadata('design:type', prototype, property) === Array;
    Reflect.defineMetadata(NESTED, type, prototype, property);
    ValidateNested()(prototype, property);
    const form = isList
      ? { validate: isListOfObjects, message: 'must be a list of objects' }
      : { validate: isObject, message: 'must be an object' };
    ParamRule({ name: 'nestedParams', ...form })(prototype, property);
  };
}

/** Makes a class of class-validator's of what was sent: members that have a rule, and no others; `null` is an absent member. */
export function paramsOf(type: Type<object>, source: Record<string, unknown>): object {
  const params = new type() as Record<string, unknown>;
  for (const { propertyName } of rulesOf(type)) {
    const sent = ownMember(source, propertyName);
    if (sent === undefined || sent === null) continue;
    params[propertyName] = nested(nestedTypeOf(type, propertyName), sent);
  }
  return params;
}

/**
 * Whether a class can be the type of a parameter with `@Params()`.
 * @returns what is wrong with it, as the rest of a sentence that begins with the method
 */
export function faultOf(type: unknown, seen = new Set<unknown>()): string | undefined {
  if (typeof type !== 'function' || BUILT_IN.has(type)) {
    return 'the parameter with @Params() needs a class as its type, imported as a value; is emitDecoratorMetadata on?';
  }
  if (seen.has(type)) return undefined;
  seen.add(type);
  const rules = rulesOf(type as Type<object>);
  if (rules.length === 0) return `${type.name} has no rule of class-validator, and so no parameters`;
  for (const { propertyName, type: kind } of rules) {
    const inner = nestedTypeOf(type as Type<object>, propertyName);
    const isUnknown = kind === ValidationTypes.NESTED_VALIDATION && inner === undefined;
    if (isUnknown)
      return `${type.name}.${propertyName} has @ValidateNested(); use @NestedParams(() => Class)`;
    const fault = inner && faultOf(inner, seen);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** What TypeScript notes for everything that is no class. */
const BUILT_IN = new Set<unknown>([Object, Array, String, Number, Boolean, Function, Promise, Symbol]);

function nested(type: Type<object> | undefined, sent: unknown): unknown {
  if (!type) return sent;
  if (Array.isArray(sent)) return sent.map((item: unknown) => nested(type, item));
  return isObject(sent) ? paramsOf(type, sent) : sent;
}

function nestedTypeOf(type: Type<object>, property: string): Type<object> | undefined {
  const found = Reflect.getMetadata(NESTED, type.prototype as object, property) as
    (() => Type<object>) | undefined;
  return found?.();
}

function rulesOf(type: Type<object>) {
  return getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every(isObject);
}
