import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import { failureText } from '#client/api/failure-text.ts'
import { trpc } from '#client/api/trpc.ts'
import { ErrorState } from '#client/ui/error-state.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'
import { CompanyForm } from './company-form.tsx'
import { LogoPart } from './logo-part.tsx'
import { ReplyToPart } from './reply-to-part.tsx'
import { useReplyToCode } from './use-reply-to-code.ts'

const FAILED = 'Failed to load the company'

/** Who the account's customers are written to by. */
export function CompanyScreen() {
  const company = trpc.company.get.useQuery(undefined, { refetchOnWindowFocus: false })
  const code = useReplyToCode()
  return (
    <Stack gap="lg">
      <PageHeader title="Company" description="What your customers see in your messages" />
      {company.error && (
        <ErrorState
          over={!company.isLoadingError}
          message={failureText(company.error, { failed: FAILED, network: FAILED })}
          retrying={company.isFetching}
          onRetry={() => void company.refetch()}
        />
      )}
      {company.isPending && <Placeholder />}
      {company.data && (
        <>
          <CompanyForm company={company.data} onReplyTo={code.send} />
          <LogoPart company={company.data} />
          {/* Last: it comes and goes, and nothing may move with it. */}
          <ReplyToPart company={company.data} code={code} />
        </>
      )}
    </Stack>
  )
}

function Placeholder() {
  return (
    <Stack gap="lg" role="status">
      <VisuallyHidden>Loading...</VisuallyHidden>
      {[300, 150].map((height) => (
        <Skeleton key={height} height={height} />
      ))}
    </Stack>
  )
}
