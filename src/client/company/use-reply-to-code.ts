import { failureText } from '#client/api/failure-text.ts'
import { trpc } from '#client/api/trpc.ts'
import { toastFailure, toastSuccess } from '#client/ui/toasts/toasts.tsx'

export type ReplyToCode = ReturnType<typeof useReplyToCode>

/** Mails a code to the reply-to address, and confirms the address with it. */
export function useReplyToCode() {
  const utils = trpc.useUtils()
  const sending = trpc.company.sendReplyToCode.useMutation({
    onError: (error) => {
      toastFailure(failureText(error, { failed: 'Failed to send the code' }))
      void utils.company.get.invalidate()
    },
  })
  const confirming = trpc.company.confirmReplyTo.useMutation({
    onSuccess: (company) => {
      utils.company.get.setData(undefined, company)
      sending.reset()
      toastSuccess('Reply-to address confirmed')
    },
  })
  return {
    isSent: sending.isSuccess,
    isSending: sending.isPending,
    send: () => {
      confirming.reset()
      sending.mutate()
    },
    isConfirming: confirming.isPending,
    error: confirming.error ? failureText(confirming.error, { failed: 'Failed to confirm the address' }) : undefined,
    confirm: (code: string) => confirming.mutate({ code }),
  }
}
