import { ArrayType, JsonType, p } from '@mikro-orm/core'
import { z } from 'zod'

/** All that the database knows of these columns is that they are JSON or an array; `content` says of what. */
export class CheckedJson extends JsonType {
  readonly content: z.ZodType

  constructor(content: z.ZodType) {
    super()
    this.content = content
  }
}

export class CheckedArray<Element> extends ArrayType<Element> {
  readonly content: z.ZodType
  /** What PostgreSQL calls the type of its elements. */
  readonly element: 'int' | 'bigint' | 'bytea' | 'text'

  constructor(
    element: 'int' | 'bigint' | 'bytea' | 'text',
    content: z.ZodType<Element>,
    fromText?: (text: string) => Element,
  ) {
    super(fromText)
    this.content = z.array(content)
    this.element = element
  }
}

/** A JSON column. */
export function json<Content>(content: z.ZodType<Content>) {
  return p.type(new CheckedJson(content)).$type<Content>()
}

export function integers() {
  return p
    .type(new CheckedArray('int', z.int(), Number))
    .columnType('int[]')
    .$type<number[]>()
}

/** Of rows whose IDs are bigint. */
export function bigIntegers() {
  return p
    .type(new CheckedArray('bigint', z.coerce.number().check(z.int()), Number))
    .columnType('bigint[]')
    .$type<number[]>()
}

export function blobs() {
  return p
    .type(new CheckedArray('bytea', z.instanceof(Uint8Array)))
    .columnType('bytea[]')
    .$type<Uint8Array[]>()
}

export function texts() {
  return p.type(new CheckedArray('text', z.string())).columnType('text[]').$type<string[]>()
}

/** Words of a fixed vocabulary. */
export function words<Word extends string>(content: z.ZodType<Word>) {
  return p.type(new CheckedArray<Word>('text', content)).columnType('text[]').$type<Word[]>()
}
