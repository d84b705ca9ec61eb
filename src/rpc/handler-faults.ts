import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { A2A_METHOD, type MethodRecord, type ProtocolVersion } from './a2a-handler.decorator.js';
import { faultOf } from './nested-params.js';
import { ParamsPipe } from './params.decorator.js';

const VERSIONS: readonly ProtocolVersion[] = ['1.0', '0.3'];

type Arguments = Record<string, { index: number; pipes: unknown[] }>;

/** @returns what is wrong with a handler's version */
export function faultOfVersion(version: ProtocolVersion): string | undefined {
  return VERSIONS.includes(version)
    ? undefined
    : `the version ${JSON.stringify(version)} is not spoken; the versions are ${VERSIONS.join(' and ')}`;
}

/**
 * What would make each call of a handler's method fail.
 * @returns the rest of a sentence that begins with class and method
 */
export function faultOfMethod(instance: object, name: string, callback: object): string | undefined {
  const { names, streams } = Reflect.getMetadata(A2A_METHOD, callback) as MethodRecord;
  if (names.some((method) => typeof method !== 'string' || method.trim() === '')) {
    return '@A2AMethod needs the name of a method';
  }
  if (!streams && callback.constructor.name === 'AsyncGeneratorFunction') {
    return 'a generator needs @A2AMethod(name, { streams: true })';
  }
  return faultOfArguments(instance, name, callback as (...args: unknown[]) => unknown);
}

/** Methods take their arguments from decorators alone; one without would always be undefined. */
function faultOfArguments(
  instance: object,
  name: string,
  callback: (...args: unknown[]) => unknown,
): string | undefined {
  const given = Object.values(
    (Reflect.getMetadata(ROUTE_ARGS_METADATA, instance.constructor, name) ?? {}) as Arguments,
  );
  const known = new Set(given.map(({ index }) => index));
  for (let index = 0; index < callback.length; index += 1) {
    if (!known.has(index)) {
      return `parameter ${index + 1} has no decorator; use @Params(), @RawParams(), @Call() or @Caller()`;
    }
  }
  const types = (Reflect.getMetadata('design:paramtypes', instance, name) ?? []) as unknown[];
  const read = given.filter(({ pipes }) => pipes.includes(ParamsPipe));
  return read.map(({ index }) => faultOf(types[index])).find((fault) => fault !== undefined);
}
