import { networkInterfaces } from 'node:os'
import type { Env } from '#server/env.ts'

const EVERYWHERE = ['0.0.0.0', '::']

/** The origins that this server is reached at, the one to show first. */
export function originsOf({ PUBLIC_URL, HOST, PORT }: Env): string[] {
  if (PUBLIC_URL) return [new URL(PUBLIC_URL).origin]
  const names = EVERYWHERE.includes(HOST) ? ['localhost', '127.0.0.1', ...ownAddresses()] : namesOf(HOST)
  return names.map((name) => new URL(`http://${inUrl(name)}:${PORT}`).origin)
}

/** How the server reaches itself, for the local services that it serves. */
export function localHost({ HOST }: Env): string {
  return HOST === 'localhost' || EVERYWHERE.includes(HOST) ? '127.0.0.1' : inUrl(HOST)
}

function inUrl(name: string): string {
  return name.includes(':') ? `[${name}]` : name
}

function namesOf(host: string): string[] {
  return host === 'localhost' || host === '127.0.0.1' ? ['localhost', '127.0.0.1'] : [host]
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => address)
}
