import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ImportKind } from '#shared/schemas/imports.ts'
import { failureText } from '#client/api/failure-text.ts'
import { useGetToken } from '#client/identity/session-context.tsx'
import { upload, type UploadRequest } from '#client/api/upload.ts'
import { ImportResult, questionOf, type Question } from './import-result.ts'
import { useImportsRefresh } from '#client/api/use-refresh.ts'

const FAILED = 'Bulk upload failed.'
/** Questions that the server asks only on request. Only contracts send emails to customers. */
const ASKING: Record<ImportKind, Record<string, string>> = {
  customers: { mapping: 'ask', duplicates: 'ask' },
  contracts: { mapping: 'ask', duplicates: 'ask', existing: 'ask', reminders: 'ask' },
}

interface Sending {
  file: File
  createsCustomers: boolean
  /** The answers to questions about this file. */
  answers: Record<string, string>
}

/** The upload of one file: sent, possibly asked about and sent again, and imported. */
export function useBulkUpload(kind: ImportKind) {
  const getToken = useGetToken()
  const [file, setFile] = useState<File>()
  const [createsCustomers, setCreatesCustomers] = useState(false)
  const [sent, setSent] = useState(0)
  // Only while aborting the upload prevents the import.
  const stoppable = useRef<AbortController>(undefined)
  const refresh = useImportsRefresh()
  const progress = (fraction: number) => {
    setSent(fraction)
    if (fraction === 1) stoppable.current = undefined
  }
  const mutation = useMutation({
    mutationFn: async (sending: Sending) => {
      const { signal } = (stoppable.current = new AbortController())
      setSent(0)
      const path = `/${kind}/bulk-upload`
      return sendFile(sending, { path, getToken, signal, onProgress: progress })
    },
    // An import that stopped halfway has also added rows.
    onSettled: (_result, error) => {
      if (!questionOf(error)) void refresh()
    },
  })
  useEffect(() => () => stoppable.current?.abort(), [])

  const question = questionOf(mutation.error)
  return {
    file,
    createsCustomers,
    isPending: mutation.isPending,
    sent,
    question,
    ...repliesTo(question, mutation),
    createMissing: createMissing(mutation),
    result: mutation.data,
    /** What was chosen about emails to customers. */
    reminders: mutation.variables?.answers['reminders'],
    error: mutation.error && !question ? failureText(mutation.error, { failed: FAILED, network: FAILED }) : undefined,
    choose: (chosen: File) => {
      mutation.reset()
      setFile(chosen)
    },
    setCreatesCustomers,
    send: () => file && mutation.mutate({ file, createsCustomers, answers: ASKING[kind] }),
    /** Goes back to the first step. The file stays selected. */
    stop: () => {
      stoppable.current?.abort()
      mutation.reset()
    },
    /** Goes back to the first step without a file. */
    forget: () => {
      mutation.reset()
      setFile(undefined)
    },
  }
}

/** The answers that are sent with the file. */
function repliesTo(
  question: Question | undefined,
  { variables, mutate }: Pick<UseMutationResult<ImportResult, Error, Sending>, 'variables' | 'mutate'>,
) {
  const sendAgain = (answers: Record<string, string>) => {
    if (variables) mutate({ ...variables, answers: { ...variables.answers, ...answers } })
  }
  return {
    reply: (choice: string) => question && sendAgain({ [question.parameter]: choice }),
    /** Has the headings read from another line, and asks about the columns again. */
    readHeadingsFrom: (line: number) => sendAgain({ mapping: 'ask', headingLine: String(line) }),
  }
}

/** Imports the rows that failed, and creates the customers they name. */
function createMissing({ variables, data, mutate }: UseMutationResult<ImportResult, Error, Sending>) {
  return () => {
    if (!variables || !data) return
    const retryOf = String(data.importId)
    mutate({ ...variables, createsCustomers: true, answers: { ...variables.answers, retryOf } })
  }
}

async function sendFile(
  { file, createsCustomers, answers }: Sending,
  request: Omit<UploadRequest, 'file' | 'field' | 'query'>,
): Promise<ImportResult> {
  const query = { ...answers, createCustomers: createsCustomers || undefined }
  return ImportResult.parse(await upload({ ...request, field: 'file', file, query }))
}

export type BulkUpload = ReturnType<typeof useBulkUpload>
