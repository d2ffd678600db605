import type { ActivityAction } from '#shared/domain/activity.ts'
import type { Outputs } from '#client/api/trpc.ts'

type Actor = Outputs['activity']['list']['rows'][number]['by']

export const ACTION_LABELS: Record<ActivityAction, string> = {
  created: 'Added',
  changed: 'Changed',
  renewed: 'Renewed',
  ended: 'Ended',
  expired: 'Expired',
  reopened: 'Reopened',
  renewal_undone: 'Renewal undone',
  deleted: 'Deleted',
  restored: 'Restored',
  removed: 'Deleted permanently',
}

/** Who did something. */
export function actorText(by: Actor): string {
  if (by === null) return ''
  const name = by.name ?? ''
  const texts: Record<NonNullable<Actor>['kind'], string> = {
    person: name || 'Somebody with this account',
    key: name ? `API key ${name}` : 'An API key',
    import: name ? `Import of ${name}` : 'An import',
    customer: name ? `${name}, by a link in an email` : 'The customer, by a link in an email',
    operator: 'TRAXX support',
    traxx: 'Automatically',
  }
  return texts[by.kind]
}
