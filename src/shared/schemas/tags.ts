import * as z from 'zod/mini'
import { LONGEST_TAG, MOST_TAGS, uniqueTags } from '#shared/domain/tags.ts'
import { name } from './fields.ts'

const REQUIRED = 'Enter a tag'
const SEPARATORS = /^[^,;]*$/

/** A tag. Lists of tags in addresses and files are separated by commas and semicolons. */
export function tagName() {
  return name(LONGEST_TAG, REQUIRED).check(z.regex(SEPARATORS, 'A tag must not have commas or semicolons'))
}

/** The tags of a customer or contract, each once. */
export function tags() {
  // Far more are refused before they are compared.
  const written = z.array(tagName(), 'Must be a list of tags').check(z.maxLength(100, { error: TOO_MANY, abort: true }))
  return z.pipe(
    written,
    z.pipe(
      z.transform((list: string[]) => uniqueTags(list)),
      z.array(z.string()).check(z.maxLength(MOST_TAGS, TOO_MANY)),
    ),
  )
}

const TOO_MANY = `There can be at most ${MOST_TAGS} tags`

/** A tag by its name, in any case. */
export const TagByName = z.object({ tag: name(LONGEST_TAG, REQUIRED) })
export type TagByName = z.output<typeof TagByName>

export const RenameTag = z.object({ ...TagByName.shape, name: tagName() })
export type RenameTag = z.output<typeof RenameTag>
