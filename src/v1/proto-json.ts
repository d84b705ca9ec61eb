import { isObject, ownMember, ParamField, readParams } from '../rpc/index.js';

/*
 * Reading ProtoJSON into parameter classes (requirement W6; protobuf's JSON mapping): camelCase and snake_case names, `null`
 * as absent, enum numbers as names, integers from decimal strings.
 */

/** A field that is taken as it is: text, boolean, an opaque `Struct`, a list of texts. */
export function ProtoValue(): PropertyDecorator {
  return ParamField((value) => value);
}

/** A text for which protobuf's default, the empty text, means "not set". */
export function ProtoOptionalText(): PropertyDecorator {
  return ParamField((value) => (value === '' ? undefined : value));
}

/** An `int32`: a number, or the same in decimal digits. */
export function ProtoInt(): PropertyDecorator {
  return ParamField((value) =>
    typeof value === 'string' && /^-?\d{1,10}$/.test(value) ? Number(value) : value,
  );
}

/** An enum: its name, or its number, which becomes the name. */
export function ProtoEnum(namesByNumber: readonly string[]): PropertyDecorator {
  return ParamField((value) => (typeof value === 'number' ? (namesByNumber[value] ?? value) : value));
}

/** A nested message. */
export function ProtoMessage<T extends object>(type: () => new () => T): PropertyDecorator {
  return ParamField((value) => (isObject(value) ? readProtoJson(type(), value) : value));
}

/** A list of nested messages. */
export function ProtoMessages<T extends object>(type: () => new () => T): PropertyDecorator {
  const one = (value: unknown) => (isObject(value) ? readProtoJson(type(), value) : value);
  return ParamField((value) => (Array.isArray(value) ? value.map(one) : value));
}

/** Makes an instance of a parameter class from what was sent; fields that are not set are left out. */
export function readProtoJson<T extends object>(type: new () => T, source: Record<string, unknown>): T {
  return readParams(
    type,
    source,
    (members, name) => setMember(members, name) ?? setMember(members, snakeCase(name)),
  );
}

/** A member that is `null` is not set. */
function setMember(source: Record<string, unknown>, name: string): unknown {
  return ownMember(source, name) ?? undefined;
}

/** By name; those of parameter classes, which are few. */
const snakeCases = new Map<string, string>();

function snakeCase(name: string): string {
  let snake = snakeCases.get(name);
  if (snake === undefined) {
    snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    snakeCases.set(name, snake);
  }
  return snake;
}
