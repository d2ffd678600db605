import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ImportKind } from '#shared/schemas/imports.ts'
import { failureText } from '#client/api/failure-text.ts'
import { tokenFrom, useGetToken } from '#client/api/session-token.ts'
import { upload, type UploadRequest } from '#client/api/upload.ts'
import { ImportAnswer, questionOf } from './import-answer.ts'
import { useImportsRefresh } from './use-imports-refresh.ts'

const FAILED = 'Bulk upload failed.'
/** Before contracts write to customers, that is asked. */
const ASKING = { reminders: 'ask' }

interface Sending {
  file: File
  createsCustomers: boolean
  /** What was asked about this file, and answered. */
  answers: Record<string, string>
}

/** One file on its way into the account: sent, perhaps asked about and sent again, and imported. */
export function useBulkUpload(kind: ImportKind) {
  const getToken = useGetToken()
  const [file, setFile] = useState<File>()
  const [createsCustomers, setCreatesCustomers] = useState(false)
  const [sent, setSent] = useState(0)
  // Only as long as stopping it would still keep the server from importing.
  const stoppable = useRef<AbortController>(undefined)
  const refresh = useImportsRefresh()
  const progress = (fraction: number) => {
    setSent(fraction)
    if (fraction === 1) stoppable.current = undefined
  }
  const sending = useMutation({
    mutationFn: async (given: Sending) => {
      const { signal } = (stoppable.current = new AbortController())
      setSent(0)
      const path = `/${kind}/bulk-upload`
      return sendFile(given, { path, token: await tokenFrom(getToken), signal, onProgress: progress })
    },
    // An import that stopped in the middle has brought rows as well.
    onSettled: (_answer, error) => {
      if (!questionOf(error)) void refresh()
    },
  })
  useEffect(() => () => stoppable.current?.abort(), [])

  const question = questionOf(sending.error)
  return {
    file,
    createsCustomers,
    isPending: sending.isPending,
    sent,
    question,
    answer: sending.data,
    /** What was chosen where contracts would write to customers. */
    reminders: sending.variables?.answers['reminders'],
    error: sending.error && !question ? failureText(sending.error, { failed: FAILED, network: FAILED }) : undefined,
    choose: (chosen: File) => {
      sending.reset()
      setFile(chosen)
    },
    setCreatesCustomers,
    send: () => file && sending.mutate({ file, createsCustomers, answers: kind === 'contracts' ? ASKING : {} }),
    reply: (choice: string) => {
      const { variables } = sending
      if (!variables || !question) return
      sending.mutate({ ...variables, answers: { ...variables.answers, [question.parameter]: choice } })
    },
    /** Back to the file, which stays chosen. */
    stop: () => {
      stoppable.current?.abort()
      sending.reset()
    },
    /** Back to no file at all. */
    forget: () => {
      sending.reset()
      setFile(undefined)
    },
  }
}

async function sendFile(
  { file, createsCustomers, answers }: Sending,
  request: Omit<UploadRequest, 'file' | 'field' | 'query'>,
): Promise<ImportAnswer> {
  const query = { ...answers, createCustomers: createsCustomers || undefined }
  return ImportAnswer.parse(await upload({ ...request, field: 'file', file, query }))
}

export type BulkUpload = ReturnType<typeof useBulkUpload>
