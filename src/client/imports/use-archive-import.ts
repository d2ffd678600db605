import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { failureText } from '#client/api/failure-text.ts'
import { trpc } from '#client/api/trpc.ts'
import { upload } from '#client/api/upload.ts'
import { useGetToken } from '#client/identity/session-context.tsx'
import { ArchiveResult } from './archive-result.ts'

const FAILED = 'Failed to import the archive'
const NO_RESPONSE =
  'The connection was lost. The import may still be running: look at your dashboard in a few minutes before you try again'

/** A preview, or the import with what was chosen about emails to customers. */
type Query = { preview: true } | { reminders: string | undefined }

/** The upload of an archive: sent and checked first, and sent again to be imported. */
export function useArchiveImport() {
  const getToken = useGetToken()
  const [file, setFile] = useState<File>()
  const [sent, setSent] = useState(0)
  const stoppable = useRef<AbortController>(undefined)
  const utils = trpc.useUtils()
  const mutation = useMutation({
    mutationFn: async ({ archive, query }: { archive: File; query: Query }) => {
      const { signal } = (stoppable.current = new AbortController())
      setSent(0)
      const request = { path: '/imports/archive', field: 'file', query: { ...query } }
      return ArchiveResult.parse(await upload({ ...request, file: archive, getToken, signal, onProgress: setSent }))
    },
    onSuccess: ({ isPreview }) => (isPreview ? undefined : utils.invalidate()),
  })
  useEffect(() => () => stoppable.current?.abort(), [])
  const { data, error, isPending, variables, reset } = mutation
  const isImporting = variables !== undefined && !('preview' in variables.query)
  const start = (query: Query) => file && mutation.mutate({ archive: file, query })
  return {
    file,
    sent,
    isPending,
    isImporting,
    /** Cannot be stopped any more: it may be written already. */
    isBeingWritten: isPending && isImporting && sent === 1,
    preview: data?.isPreview ? data : undefined,
    result: data?.isPreview ? undefined : data,
    error: error ? failureText(error, { failed: FAILED, network: isImporting ? NO_RESPONSE : FAILED }) : undefined,
    choose: (chosen: File) => {
      reset()
      setFile(chosen)
    },
    check: () => start({ preview: true }),
    write: (reminders: string | undefined) => start({ reminders }),
    /** Goes back to the first step. The file stays selected. */
    stop: () => {
      stoppable.current?.abort()
      reset()
    },
    /** Goes back to the first step without a file. */
    forget: () => {
      reset()
      setFile(undefined)
    },
  }
}

export type ArchiveImport = ReturnType<typeof useArchiveImport>
