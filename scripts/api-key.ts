import './load-env-file.ts'
import { finish } from './account-database.ts'
import { makeApiKey } from './api-key-command.ts'

finish(await makeApiKey(process.argv.slice(2)))
