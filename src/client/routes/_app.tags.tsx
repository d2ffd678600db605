import { createFileRoute } from '@tanstack/react-router'
import { TagsScreen } from '#client/tags/tags-screen.tsx'

export const Route = createFileRoute('/_app/tags')({
  staticData: { title: 'Tags' },
  loader: ({ context: { trpcUtils } }) => void trpcUtils.tags.list.prefetch(),
  component: TagsScreen,
})
