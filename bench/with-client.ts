import pg from 'pg'

/** Gives a piece of work a connection, which is closed afterwards. That the server ends it meanwhile harms only the work. */
export async function withClient<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config)
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
