import { useEffect, useEffectEvent, useRef } from 'react'
import type { FoundCustomer, useFoundCustomers } from './use-found-customers.ts'

/**
 * A function that picks the only customer found for a text, once the server has responded. It returns false if there is
 * nothing to wait for and not exactly one customer.
 */
export function useOnlyMatch(
  text: string,
  { customers, pending }: ReturnType<typeof useFoundCustomers>,
  onPick: (customer: FoundCustomer) => void,
): () => boolean {
  /** The text whose only match is picked when the response comes. */
  const awaited = useRef('')
  const [only, ...others] = customers
  const match = text !== '' && !pending && others.length === 0 ? only : undefined
  const pickAwaited = useEffectEvent(() => {
    if (pending) return
    if (match && awaited.current === text) onPick(match)
    awaited.current = ''
  })
  useEffect(() => pickAwaited(), [pending])
  return () => {
    if (pending) awaited.current = text
    else if (match) onPick(match)
    return text !== '' && (pending || match !== undefined)
  }
}
