import { destinationOrHome } from './destination.ts'

/**
 * Where somebody goes who has just paid: the gate in front of it then waits for the subscription. The dashboard welcomes
 * whoever has begun a trial with this session.
 */
export function destinationAfterPayment(sessionId?: string): string {
  const [path = '', ...hash] = destinationOrHome().split('#')
  const welcome = sessionId && path === '/dashboard' ? `&session_id=${encodeURIComponent(sessionId)}` : ''
  return [`${path}${path.includes('?') ? '&' : '?'}stripe_success=true${welcome}`, ...hash].join('#')
}
