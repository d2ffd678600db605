import { Button, FileButton, Group, Paper, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { failureText } from '#client/api/failure-text.ts'
import { useGetToken } from '#client/identity/session-context.tsx'
import { trpc } from '#client/api/trpc.ts'
import { EditableFields } from '#client/forms/read-only.tsx'
import { FormSection } from '#client/ui/cards/form-section.tsx'
import { toastFailure, toastSuccess } from '#client/ui/toasts/toasts.tsx'
import { upload } from '#client/api/upload.ts'
import type { Company } from './company-form.tsx'

/** The logo at the top of messages. Reserves its space, so that nothing moves. */
export function LogoPart({ company: { logoPath } }: { company: Company }) {
  const { attach, remove, isBusy } = useLogo()
  return (
    <FormSection title="Logo" hint="Shown at the top of your messages. PNG or JPEG, up to 200 KB.">
      <Group>
        {/* White, like messages: a dark logo would not be visible on a dark page. */}
        <Paper withBorder p="xs" bg="white" w={220} h={96} style={{ display: 'grid', placeItems: 'center' }}>
          {logoPath ? (
            <img src={logoPath} alt="Your logo" style={{ maxWidth: 200, maxHeight: 76 }} />
          ) : (
            <Text size="sm" c="dark.3">
              No logo
            </Text>
          )}
        </Paper>
        <EditableFields>
          <FileButton accept="image/png,image/jpeg" onChange={(file) => file && attach(file)}>
            {(props) => (
              <Button variant="default" loading={isBusy} {...props}>
                {logoPath ? 'Replace Logo' : 'Upload Logo'}
              </Button>
            )}
          </FileButton>
          {logoPath && (
            <Button variant="default" disabled={isBusy} onClick={remove}>
              Remove Logo
            </Button>
          )}
        </EditableFields>
      </Group>
    </FormSection>
  )
}

function useLogo() {
  const getToken = useGetToken()
  const utils = trpc.useUtils()
  const attaching = useMutation({
    mutationFn: (file: File) => upload({ path: '/account/company/logo', field: 'logo', file, getToken }),
    onSuccess: () => toastSuccess('Logo uploaded'),
    onError: (error) => toastFailure(failureText(error, { failed: 'Failed to upload the logo' })),
    onSettled: () => utils.company.get.invalidate(),
  })
  const removing = trpc.company.removeLogo.useMutation({
    onSuccess: () => toastSuccess('Logo removed'),
    onError: (error) => toastFailure(failureText(error, { failed: 'Failed to remove the logo' })),
    onSettled: () => utils.company.get.invalidate(),
  })
  return {
    attach: attaching.mutate,
    remove: () => removing.mutate(),
    isBusy: attaching.isPending || removing.isPending,
  }
}
