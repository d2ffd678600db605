import { notFound } from '@tanstack/react-router'
import { LARGEST_ID } from '#shared/schemas/filters.ts'

/** The `$id` of a path, as a number; what cannot be one is an unknown page. */
export const ID_IN_PATH = {
  parse: ({ id }: { id: string }) => {
    // oxlint-disable-next-line typescript/only-throw-error -- the router's own way to say so
    if (!/^[1-9]\d{0,9}$/.test(id) || Number(id) > LARGEST_ID) throw notFound()
    return { id: Number(id) }
  },
  stringify: ({ id }: { id: number }) => ({ id: String(id) }),
}
