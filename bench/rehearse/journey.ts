import { EXPORTS, takeJourney } from '#support/journey-over-servers.ts'
import { startApps } from './apps.ts'
import { createDatabase, databaseUrls, type StageOptions } from './stage.ts'

/**
 * One person's journey over three servers and two workers, with the local stand-ins of Clerk, Stripe and mail, behind an
 * HAProxy that gives each call to the next server. Returns how many calls each server answered.
 */
export async function rehearseJourney({
  folder,
  processes,
  cluster,
  code,
}: StageOptions): Promise<Map<string, number>> {
  await cluster.asAdministrator('postgres', (client) => createDatabase(client, cluster.password))
  const { webUrl, serverPorts, adminSocket } = await cluster.startRoundRobin()
  const variables = {
    ...databaseUrls(cluster.databasePort, cluster.password),
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    PUBLIC_URL: webUrl,
    TRUSTED_PROXIES: '127.0.0.1',
    DATA_DIR: `${folder}/files`,
    LOG_LEVEL: 'error',
    LIMIT_EXPORTS: String(EXPORTS),
  }
  const apps = await startApps({ processes, code, serverPorts, adminSocket, variables })
  const counts = new Map<string, number>()
  for (const server of await takeJourney(webUrl)) counts.set(server, (counts.get(server) ?? 0) + 1)
  await apps.stop()
  return counts
}
