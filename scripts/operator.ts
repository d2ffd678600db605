import './load-env-file.ts'
import { finish } from './account-database.ts'
import { operate } from './operator-command.ts'

finish(await operate(process.argv.slice(2)))
