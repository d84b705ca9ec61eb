import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { RawParams, validateParams } from '../rpc/index.js';
import { readProtoJson } from './proto-json.js';

/** Makes the handler's parameter class of what was sent and checks it (requirement W6). */
@Injectable()
export class ProtoParamsPipe implements PipeTransform {
  /** @throws InvalidParamsError naming each field that is wrong */
  async transform(value: Record<string, unknown>, { metatype }: ArgumentMetadata): Promise<object> {
    const params = readProtoJson(metatype as new () => object, value);
    await validateParams(params);
    return params;
  }
}

/** Injects the validated parameters of a 1.0 method; the parameter's type is the class to make. */
export const ProtoParams = (): ParameterDecorator => RawParams(ProtoParamsPipe);
