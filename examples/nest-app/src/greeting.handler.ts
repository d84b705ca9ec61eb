import { Injectable } from '@nestjs/common';
import { IsString, MaxLength } from 'class-validator';
import { A2AHandler, A2AMethod, Caller, Params } from 'hello-api';

export class GreetParams {
  @IsString()
  @MaxLength(50)
  name!: string;
}

/** A method of the team's own, at every assistant's address. */
@A2AHandler('1.0')
@Injectable()
export class GreetingHandler {
  @A2AMethod('x.team/greet')
  greet(@Params() params: GreetParams, @Caller() caller: { accountId: string }) {
    return { greeting: `Hello ${params.name}, from ${caller.accountId}` };
  }
}
