import { useMutation } from '@tanstack/react-query'
import type { DownloadRequest } from '#client/api/download.ts'
import { failureText } from '#client/api/failure-text.ts'
import { useGetToken } from './session-context.tsx'
import { toastFailure, toastSuccess } from '#client/ui/toasts/toasts.tsx'

interface NamedDownload extends DownloadRequest {
  /** The message if it fails and the server sent none. */
  failed: string
}

/** Saves files, one at a time, and reports the result. `busy` is the path of the one under way. */
export function useDownload() {
  const getToken = useGetToken()
  const saving = useMutation({
    mutationFn: async (request: NamedDownload) => {
      const { download } = await import('#client/api/download.ts')
      return download(request, getToken)
    },
    onSuccess: (name) => toastSuccess(`Downloaded ${name}`),
    onError: (error, { failed }) => toastFailure(failureText(error, { failed })),
  })
  return {
    save: (request: NamedDownload) => {
      if (!saving.isPending) saving.mutate(request)
    },
    busy: saving.isPending ? saving.variables.path : undefined,
  }
}
