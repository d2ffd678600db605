import type { ActivitySubject } from '#shared/domain/activity.ts'
import { ActivityList } from './activity-list.tsx'
import { Notes } from './notes.tsx'

interface HistoryProps {
  about: ActivitySubject
  id: number
}

/** What people have written about a customer or contract, and what has changed on it. */
export function History(subject: HistoryProps) {
  return (
    <>
      <Notes {...subject} />
      <ActivityList {...subject} />
    </>
  )
}
