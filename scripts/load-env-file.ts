import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Imported first by commands that read the environment, as the server does too. */
const ENV_FILE = join(import.meta.dirname, '../.env')
if (existsSync(ENV_FILE)) process.loadEnvFile(ENV_FILE)
