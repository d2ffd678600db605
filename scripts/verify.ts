import './load-env-file.ts'
import { finish } from './account-database.ts'
import { verify } from './verify-command.ts'

finish(await verify(process.argv.slice(2)))
