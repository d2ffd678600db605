import { useEffect, useRef, useState } from 'react'
import { longestWait } from './longest-wait.ts'

/** As much of a query as is needed here. */
interface Asked<Answer> {
  isError: boolean
  isSuccess: boolean
  isPlaceholderData: boolean
  refetch(options: { cancelRefetch: boolean }): Promise<{ data: Answer | undefined; isPlaceholderData: boolean }>
}

interface WhatIsAsked<Answer> {
  /** Names it; undefined if nothing is asked. */
  key: string | undefined
  /** Whether the answer says that no emails come. */
  isNone: (answer: Answer) => boolean
}

/** Lets saving wait for the answer that says which emails it sends, so that they are shown first. */
export function useShownFirst<Answer>(query: Asked<Answer>, { key, isNone }: WhatIsAsked<Answer>) {
  const [unknown, setUnknown] = useState<string>()
  const latest = useRef(key)
  useEffect(() => {
    latest.current = key
  }, [key])
  if (key === undefined && unknown !== undefined) setUnknown(undefined)
  const isKnown = query.isError || (query.isSuccess && !query.isPlaceholderData)
  const isUnknown = key !== undefined && !isKnown && unknown === key
  /** Waits for the answer. False if what is said about emails has to be read first. */
  const confirmShown = async (): Promise<boolean> => {
    if (key === undefined || isKnown || isUnknown) return true
    const response = await Promise.race([query.refetch({ cancelRefetch: false }), longestWait()])
    if (!response) setUnknown(key)
    // The input may have been changed meanwhile: then the answer is about another one.
    if (latest.current !== key || response?.data === undefined || response.isPlaceholderData) return false
    return isNone(response.data)
  }
  return { isUnknown, confirmShown }
}
