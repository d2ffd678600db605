import './load-env-file.ts'
import { finish } from './account-database.ts'
import { makeBackup } from './backup-command.ts'

finish(await makeBackup(process.argv.slice(2)))
