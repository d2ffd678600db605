import { createFileRoute } from '@tanstack/react-router'
import { CompanyScreen } from '#client/company/company-screen.tsx'

export const Route = createFileRoute('/_app/company')({
  staticData: { title: 'Company' },
  loader: ({ context: { trpcUtils } }) => void trpcUtils.company.get.prefetch(),
  component: CompanyScreen,
})
