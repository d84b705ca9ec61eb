import {
  ArrayNotEmpty,
  Equals,
  IsArray,
  IsIn,
  IsInstance,
  IsNotEmpty,
  IsOptional,
  IsString,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { IsIdentifier, IsStruct } from '../rpc/index.js';
import { JsonObjects, JsonOptionalText, JsonValue } from './json-params.js';

export const PART_KINDS = ['text', 'file', 'data'] as const;

/** `Part` (A2A 0.3 §6.5). Only texts are carried: of the other kinds no more is read than their name, to refuse them by it. */
export class PartDto {
  @JsonValue()
  @IsIn(PART_KINDS, { message: 'must be text, file or data' })
  kind!: (typeof PART_KINDS)[number];

  @JsonValue()
  @ValidateIf(({ kind }: PartDto) => kind === 'text')
  @IsNotEmpty({ message: 'must not be empty' })
  @IsString({ message: 'must be a text' })
  text?: string;

  @JsonValue()
  @IsOptional()
  @IsStruct()
  metadata?: Record<string, unknown>;
}

/** `Message` as a caller sends it (A2A 0.3 §6.4). */
export class MessageDto {
  @JsonValue()
  @IsOptional()
  @Equals('message', { message: 'must be message' })
  kind?: string;

  @JsonValue()
  @IsIdentifier()
  messageId!: string;

  @JsonOptionalText()
  @IsOptional()
  @IsIdentifier()
  contextId?: string;

  @JsonOptionalText()
  @IsOptional()
  @IsIdentifier()
  taskId?: string;

  @JsonValue()
  @Equals('user', { message: 'must be user' })
  role!: string;

  @JsonObjects(() => PartDto)
  // Rules are tried from the property upwards, and the first that fails is named.
  @ValidateNested({ each: true })
  @IsInstance(PartDto, { each: true, message: 'each part must be an object' })
  @ArrayNotEmpty({ message: 'must have at least one part' })
  @IsArray({ message: 'must be a list of parts' })
  parts!: PartDto[];

  @JsonValue()
  @IsOptional()
  @IsStruct()
  metadata?: Record<string, unknown>;

  @JsonValue()
  @IsOptional()
  @IsString({ each: true, message: 'must be a list of texts' })
  @IsArray({ message: 'must be a list of texts' })
  extensions?: string[];

  @JsonValue()
  @IsOptional()
  @IsString({ each: true, message: 'must be a list of texts' })
  @IsArray({ message: 'must be a list of texts' })
  referenceTaskIds?: string[];
}
