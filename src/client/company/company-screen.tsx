import { Stack } from '@mantine/core'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc } from '#client/api/trpc.ts'
import { PageHeader } from '#client/ui/page-header.tsx'
import { Placeholder } from '#client/ui/placeholder.tsx'
import { CompanyForm } from './company-form.tsx'
import { LogoPart } from './logo-part.tsx'
import { ReplyToPart } from './reply-to-part.tsx'
import { useReplyToCode } from './use-reply-to-code.ts'

const FAILED = 'Failed to load the company'

/** The company that customers see as the sender. */
export function CompanyScreen() {
  const company = trpc.company.get.useQuery(undefined, { refetchOnWindowFocus: false })
  const code = useReplyToCode()
  return (
    <Stack gap="lg">
      <PageHeader title="Company" description="What your customers see in your messages" />
      <QueryError query={company} failed={FAILED} network={FAILED} />
      {company.isPending && <Placeholder heights={[300, 150]} />}
      {company.data && (
        <>
          <CompanyForm company={company.data} onReplyTo={code.send} />
          <LogoPart company={company.data} />
          {/* Last, because it appears and disappears and must not move the rest. */}
          <ReplyToPart company={company.data} code={code} />
        </>
      )}
    </Stack>
  )
}
