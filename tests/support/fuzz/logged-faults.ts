import { REFUSALS } from '#shared/errors.ts'

/** An outside service that is away is told of in these words. */
export const AWAY: string[] = Object.values(REFUSALS)
  .filter(({ code }) => code === 'BAD_GATEWAY')
  .map(({ message }) => message)

const ERROR = 50
const LONGEST_SHOWN = 1000

/** What a server has written that it must not have: errors other than a service that is away, and what is no log at all. */
export function loggedFaults(output: string): string[] {
  const lines = output.split('\n').filter((line) => isFault(line))
  return lines.map((line) => `logged: ${line.slice(0, LONGEST_SHOWN)}`)
}

function isFault(line: string): boolean {
  if (/unhandled|uncaught|warning: possible/i.test(line)) return true
  if (!line.startsWith('{')) return false
  const entry: unknown = JSON.parse(line)
  if (Number(Reflect.get(Object(entry), 'level')) < ERROR) return false
  const message: unknown = Reflect.get(Object(Reflect.get(Object(entry), 'err')), 'message')
  return typeof message !== 'string' || !AWAY.some((away) => message.startsWith(away))
}
