import { REFUSALS } from '#shared/errors.ts'

/** An outside service that is away is told of in these words. */
export const AWAY: string[] = Object.values(REFUSALS)
  .filter(({ code }) => code === 'BAD_GATEWAY')
  .map(({ message }) => message)

const ERROR = 50
const LONGEST_SHOWN = 1000

/** What a server says when it starts is no log. Whatever else is none, as a stack or a warning of Node, is a fault. */
const GREETING = /^\s*$|^ {2}(TRAXX is ready at |Stop with Ctrl-C|Reminders are sent by: )/

/** What a server has written that it must not have: errors other than a service that is away, and what is no log at all. */
export function loggedFaults(output: string): string[] {
  const lines = output.split('\n').filter((line) => !GREETING.test(line) && !isFine(line))
  return lines.map((line) => `logged: ${line.slice(0, LONGEST_SHOWN)}`)
}

function isFine(line: string): boolean {
  const entry = parsed(line)
  if (entry === undefined) return false
  if (Number(Reflect.get(entry, 'level')) < ERROR) return true
  const message: unknown = Reflect.get(Object(Reflect.get(entry, 'err')), 'message')
  return typeof message === 'string' && AWAY.some((away) => message.startsWith(away))
}

function parsed(line: string): object | undefined {
  try {
    const entry: unknown = JSON.parse(line)
    return typeof entry === 'object' && entry !== null ? entry : undefined
  } catch {
    return undefined
  }
}
