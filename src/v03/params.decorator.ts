import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { RawParams, readParams, validateParams } from '../rpc/index.js';

/** Makes the handler's parameter class of what was sent and checks it. */
@Injectable()
export class JsonParamsPipe implements PipeTransform {
  /** @throws InvalidParamsError naming each field that is wrong */
  async transform(value: Record<string, unknown>, { metatype }: ArgumentMetadata): Promise<object> {
    const params = readParams(metatype as new () => object, value);
    await validateParams(params);
    return params;
  }
}

/** Injects the validated parameters of a 0.3 method; the parameter's type is the class to make. */
export const JsonParams = (): ParameterDecorator => RawParams(JsonParamsPipe);
